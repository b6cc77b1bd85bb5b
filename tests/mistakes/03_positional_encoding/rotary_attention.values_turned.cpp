// tests/mistakes/03_positional_encoding/rotary_attention.values_turned.cpp · step 3.5 done wrong
// The values are turned too.
// The checklist must say: "the values are turned too"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

AttentionOutput rotary_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const RotaryEmbedding& rotary, const std::optional<Mask>& mask,
                                 RotaryLayout layout, std::size_t offset) {
    const Tensor turned_q = apply_rotary(q, rotary, layout, offset);  // (batch, heads, query, d_k)
    const Tensor turned_k = apply_rotary(k, rotary, layout);          // (batch, heads, key, d_k)
    return scaled_dot_product_attention(turned_q, turned_k, apply_rotary(v, rotary, layout), mask);
}

}  // namespace tfs
