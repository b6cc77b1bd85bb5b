// Step 1.3 · self_attention · ●○○ · 5 min
// solutions/01_attention/self_attention.cpp
#include "chapters/01_attention/attention.hpp"

namespace tfs {

SelfAttention::SelfAttention(std::size_t d_model, std::size_t d_k, std::size_t d_v, Rng& rng)
    : w_q(d_model, d_k, rng), w_k(d_model, d_k, rng), w_v(d_model, d_v, rng) {}

AttentionOutput SelfAttention::operator()(const Tensor& x, const std::optional<Mask>& mask) const {
    // begin: The queries, keys and values of x, and the attention between them.
    const Tensor q = w_q(x);  // (batch, query, d_k)
    const Tensor k = w_k(x);  // (batch, key, d_k)
    const Tensor v = w_v(x);  // (batch, key, d_v)
    return scaled_dot_product_attention(q, k, v, mask);
    // end
}

Parameters SelfAttention::parameters() const {
    Parameters all;
    append(all, "w_q", w_q.parameters());
    append(all, "w_k", w_k.parameters());
    append(all, "w_v", w_v.parameters());
    return all;
}

}  // namespace tfs
