// tests/mistakes/03_positional_encoding/rotary_attention.offset_guessed.cpp · step 3.5 done wrong
// The queries are taken for the last positions.
// The checklist must say: "`offset` is guessed as keys - queries"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

AttentionOutput rotary_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const RotaryEmbedding& rotary, const std::optional<Mask>& mask,
                                 RotaryLayout layout, std::size_t) {
    const Tensor turned_q =
        apply_rotary(q, rotary, layout, k.size(-2) - q.size(-2));  // (batch, heads, query, d_k)
    const Tensor turned_k = apply_rotary(k, rotary, layout);       // (batch, heads, key, d_k)
    return scaled_dot_product_attention(turned_q, turned_k, v, mask);
}

}  // namespace tfs
