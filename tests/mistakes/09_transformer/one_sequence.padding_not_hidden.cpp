// tests/mistakes/09_transformer/one_sequence.padding_not_hidden.cpp · step 9.3 done wrong
// No padding mask.
// The checklist must say: "the padding is not hidden"
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

TransformerOutput Transformer::operator()(const Ids& ids, Rng* rng,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    const Tensor x = embed(ids, rng, segment_ids);  // (batch, seq, d_model)
    const std::optional<Mask> padding;
    const bool encoder = config.architecture == Architecture::encoder_only;
    const StackOutput run =
        encoder ? std::get<Encoder>(stack)(x, padding, rng) : std::get<Decoder>(stack)(x, padding, rng);
    return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
}

}  // namespace tfs
