// Step 9.4 · two_sequences · ●●○ · 15 min
// solutions/09_transformer/two_sequences.cpp
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

StackOutput Transformer::encode(const Ids& source, Rng* rng) const {
    require_two_sequences("encode", config);
    require_ids("encode: source", config, source);
    // begin: Embed the source and give it to the encoder of std::get<EncoderDecoder>(stack), its padding
    // hidden (`padding_of(config, source)`).
    return std::get<EncoderDecoder>(stack).encode(embed(source, rng), padding_of(config, source), rng);
    // end
}

TransformerOutput Transformer::decode(const Ids& target, const Tensor& memory, const Ids& source,
                                      Rng* rng) const {
    require_two_sequences("decode", config);
    require_source_and_target("decode", config, source, target);
    require_memory("decode", config, memory, source);
    // begin: Embed the target and give it to the decoder, with the memory and the padding of both: the
    // source's hides keys of cross-attention, the target's keys of self-attention. Return logits, hidden,
    // self- and cross-weights.
    const Tensor x = embed(target, rng);  // (batch, target, d_model)
    const CrossStackOutput run = std::get<EncoderDecoder>(stack).decode(x, memory, padding_of(config, source),
                                                                        padding_of(config, target), rng);
    return {logits(run.output), run.output, run.self_weights, run.cross_weights};
    // end
}

TransformerOutput Transformer::operator()(const Ids& source, const Ids& target, Rng* rng) const {
    require_two_sequences("Transformer", config);
    require_source_and_target("Transformer", config, source, target);
    // begin: The one after the other.
    return decode(target, encode(source, rng).output, source, rng);
    // end
}

}  // namespace tfs
