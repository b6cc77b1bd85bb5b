// Step 3.5 · rotary_attention · ●○○ · 5 min
// exercises/03_positional_encoding/rotary_attention.cpp · check yours with ./tutorial check 3.5
#include "chapters/01_attention/attention.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

AttentionOutput rotary_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const RotaryEmbedding& rotary, const std::optional<Mask>& mask,
                                 RotaryLayout layout, std::size_t offset) {
    // TODO 3.5: Return attention whose scores depend on the distance of query and key.
    throw NotImplemented("3.5 rotary_attention");
}

}  // namespace tfs
