// tests/mistakes/03_positional_encoding/rotary_attention.only_queries.cpp · step 3.5 done wrong
// The keys are not turned.
// The checklist must say: "only the queries are turned"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

AttentionOutput rotary_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const RotaryEmbedding& rotary, const std::optional<Mask>& mask,
                                 RotaryLayout layout, std::size_t offset) {
    const Tensor turned_q = apply_rotary(q, rotary, layout, offset);  // (batch, heads, query, d_k)
    return scaled_dot_product_attention(turned_q, k, v, mask);
}

}  // namespace tfs
