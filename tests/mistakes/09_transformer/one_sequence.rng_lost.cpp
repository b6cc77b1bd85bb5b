// tests/mistakes/09_transformer/one_sequence.rng_lost.cpp · step 9.3 done wrong
// The blocks drop nothing.
// The checklist must say: "rng is not passed on to the stack"
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

TransformerOutput Transformer::operator()(const Ids& ids, Rng* rng,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    const Tensor x = embed(ids, rng, segment_ids);  // (batch, seq, d_model)
    const auto padding = padding_of(config, ids);
    const bool encoder = config.architecture == Architecture::encoder_only;
    const StackOutput run =
        encoder ? std::get<Encoder>(stack)(x, padding) : std::get<Decoder>(stack)(x, padding);
    return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
}

}  // namespace tfs
