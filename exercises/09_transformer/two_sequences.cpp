// Step 9.4 · two_sequences · ●●○ · 15 min
// exercises/09_transformer/two_sequences.cpp · check yours with ./tutorial check 9.4
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

StackOutput Transformer::encode(const Ids& source, Rng* rng) const {
    require_two_sequences("encode", config);
    require_ids("encode: source", config, source);
    // TODO 9.4: Embed the source and give it to the encoder of std::get<EncoderDecoder>(stack), its padding
    // hidden (`padding_of(config, source)`).
    throw NotImplemented("9.4 two_sequences");
}

TransformerOutput Transformer::decode(const Ids& target, const Tensor& memory, const Ids& source,
                                      Rng* rng) const {
    require_two_sequences("decode", config);
    require_source_and_target("decode", config, source, target);
    require_memory("decode", config, memory, source);
    // TODO 9.4: Embed the target and give it to the decoder, with the memory and the padding of both: the
    // source's hides keys of cross-attention, the target's keys of self-attention. Return logits, hidden,
    // self- and cross-weights.
    throw NotImplemented("9.4 two_sequences");
}

TransformerOutput Transformer::operator()(const Ids& source, const Ids& target, Rng* rng) const {
    require_two_sequences("Transformer", config);
    require_source_and_target("Transformer", config, source, target);
    // TODO 9.4: The one after the other.
    throw NotImplemented("9.4 two_sequences");
}

}  // namespace tfs
