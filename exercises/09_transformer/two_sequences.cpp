// Step 9.3 · two_sequences · ●●○ · 15 min
// exercises/09_transformer/two_sequences.cpp · check yours with ./tutorial check 9.3
#include <variant>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Memory Transformer::encode(const Ids& source, Rng* rng) const {
    require_two_sequences("encode", config);
    require_ids("encode: source", config, source);
    // TODO 9.3: The memory of the source, its padding hidden (`padding_of`).
    throw NotImplemented("9.3 two_sequences");
}

TransformerOutput Transformer::decode(const Ids& target, const Memory& memory, const Pass& pass) const {
    require_two_sequences("decode", config);
    require_ids("decode: target", config, target, pass.offset);
    require_memory("decode", config, memory, target);
    // TODO 9.3: Logits, hidden and the weights of the target, which reads the memory.
    throw NotImplemented("9.3 two_sequences");
}

TransformerOutput Transformer::operator()(const Ids& source, const Ids& target, const Pass& pass) const {
    require_two_sequences("Transformer", config);
    require_source_and_target("Transformer", config, source, target, pass.offset);
    // TODO 9.3: Both halves, one after the other.
    throw NotImplemented("9.3 two_sequences");
}

}  // namespace tfs
