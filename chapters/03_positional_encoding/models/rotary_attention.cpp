// chapters/03_positional_encoding/models/rotary_attention.cpp · attention with turned queries and keys
#include "chapters/01_attention/attention.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

AttentionOutput rotary_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const RotaryEmbedding& rotary, const std::optional<Mask>& mask,
                                 RotaryLayout layout, const Offset& offset) {
    const Tensor turned_q = apply_rotary(q, rotary, layout, offset);  // (batch, heads, query, d_k)
    const Tensor turned_k = apply_rotary(k, rotary, layout);          // (batch, heads, key, d_k)
    return scaled_dot_product_attention(turned_q, turned_k, v, mask);
}

}  // namespace tfs
