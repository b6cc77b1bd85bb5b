// tests/mistakes/09_transformer/one_sequence.final_norm_left_out.cpp · step 9.3 done wrong
// Block by block.
// The checklist must say: "the final norm is left out"
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

TransformerOutput Transformer::operator()(const Ids& ids, Rng* rng,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    const Tensor x = embed(ids, rng, segment_ids);  // (batch, seq, d_model)
    const auto padding = padding_of(config, ids);
    const bool encoder = config.architecture == Architecture::encoder_only;
    StackOutput run{x, {}};
    const auto through = [&](const auto& block) {
        const AttentionOutput layer = block(run.output, padding, rng);
        run.output = layer.output;
        run.weights.push_back(layer.weights);
    };
    if (encoder)
        for (const EncoderBlock& block : std::get<Encoder>(stack).blocks) through(block);
    else
        for (const DecoderBlock& block : std::get<Decoder>(stack).blocks) through(block);
    return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
}

}  // namespace tfs
