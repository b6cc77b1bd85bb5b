// tests/mistakes/01_attention/self_attention.parameter_not_used.cpp · step 1.3 done wrong
// The keys get no bias.
// The checklist must say: "w_k.bias received no gradient: it is not used"
#include "chapters/01_attention/attention.hpp"

namespace tfs {

SelfAttention::SelfAttention(std::size_t d_model, std::size_t d_k, std::size_t d_v, Rng& rng)
    : w_q(d_model, d_k, rng), w_k(d_model, d_k, rng), w_v(d_model, d_v, rng) {}

AttentionOutput SelfAttention::operator()(const Tensor& x, const std::optional<Mask>& mask) const {
    const Tensor q = w_q(x);                 // (batch, query, d_k)
    const Tensor k = linear(x, w_k.weight);  // (batch, key, d_k)
    const Tensor v = w_v(x);                 // (batch, key, d_v)
    return scaled_dot_product_attention(q, k, v, mask);
}

Parameters SelfAttention::parameters() const {
    Parameters all;
    append(all, "w_q", w_q.parameters());
    append(all, "w_k", w_k.parameters());
    append(all, "w_v", w_v.parameters());
    return all;
}

}  // namespace tfs
