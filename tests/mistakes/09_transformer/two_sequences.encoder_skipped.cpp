// tests/mistakes/09_transformer/two_sequences.encoder_skipped.cpp · step 9.4 done wrong
// The memory is only embedded.
// The checklist must say: "it has to go through the encoder"
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

StackOutput Transformer::encode(const Ids& source, Rng* rng) const {
    require_two_sequences("encode", config);
    require_ids("encode: source", config, source);
    return {embed(source, rng), {}};
}

TransformerOutput Transformer::decode(const Ids& target, const Tensor& memory, const Ids& source,
                                      Rng* rng) const {
    require_two_sequences("decode", config);
    require_source_and_target("decode", config, source, target);
    require_memory("decode", config, memory, source);
    const Tensor x = embed(target, rng);  // (batch, target, d_model)
    const CrossStackOutput run = std::get<EncoderDecoder>(stack).decode(x, memory, padding_of(config, source),
                                                                        padding_of(config, target), rng);
    return {logits(run.output), run.output, run.self_weights, run.cross_weights};
}

TransformerOutput Transformer::operator()(const Ids& source, const Ids& target, Rng* rng) const {
    require_two_sequences("Transformer", config);
    require_source_and_target("Transformer", config, source, target);
    return decode(target, encode(source, rng).output, source, rng);
}

}  // namespace tfs
