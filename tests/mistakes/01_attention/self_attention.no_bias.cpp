// tests/mistakes/01_attention/self_attention.no_bias.cpp · step 1.3 done wrong
// X times the weight, without the bias.
// The checklist must say: "the bias is missing"
#include "chapters/01_attention/attention.hpp"

namespace tfs {

SelfAttention::SelfAttention(std::size_t d_model, std::size_t d_k, std::size_t d_v, Rng& rng)
    : w_q(d_model, d_k, rng), w_k(d_model, d_k, rng), w_v(d_model, d_v, rng) {}

AttentionOutput SelfAttention::operator()(const Tensor& x, const std::optional<Mask>& mask) const {
    const Tensor q = linear(x, w_q.weight);  // (batch, query, d_k)
    const Tensor k = linear(x, w_k.weight);  // (batch, key, d_k)
    const Tensor v = linear(x, w_v.weight);  // (batch, key, d_v)
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
