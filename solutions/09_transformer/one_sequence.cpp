// Step 9.3 · one_sequence · ●●○ · 10 min
// solutions/09_transformer/one_sequence.cpp
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

TransformerOutput Transformer::operator()(const Ids& ids, Rng* rng,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    // begin: embed, the stack, logits. The stack is std::get<Encoder>(stack) or std::get<Decoder>(stack),
    // as config.architecture says; hand it `padding_of(config, ids)`, the mask of step padding_mask where the config
    // has a pad_id. Return the logits, what the stack gave (`hidden`), and its weights; there are no
    // cross-weights.
    const Tensor x = embed(ids, rng, segment_ids);  // (batch, seq, d_model)
    const auto padding = padding_of(config, ids);
    const bool encoder = config.architecture == Architecture::encoder_only;
    const StackOutput run =
        encoder ? std::get<Encoder>(stack)(x, padding, rng) : std::get<Decoder>(stack)(x, padding, rng);
    return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
    // end
}

}  // namespace tfs
