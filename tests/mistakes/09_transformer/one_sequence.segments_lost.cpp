// tests/mistakes/09_transformer/one_sequence.segments_lost.cpp · step 9.3 done wrong
// Segments not passed on.
// The checklist must say: "segment_ids are not passed on"
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

TransformerOutput Transformer::operator()(const Ids& ids, Rng* rng, const std::optional<Ids>&) const {
    require_one_sequence("Transformer", config);
    const Tensor x = embed(ids, rng);  // (batch, seq, d_model)
    const auto padding = padding_of(config, ids);
    const bool encoder = config.architecture == Architecture::encoder_only;
    const StackOutput run =
        encoder ? std::get<Encoder>(stack)(x, padding, rng) : std::get<Decoder>(stack)(x, padding, rng);
    return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
}

}  // namespace tfs
