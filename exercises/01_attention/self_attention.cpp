// Step 1.3 · self_attention · ●○○ · 5 min
// exercises/01_attention/self_attention.cpp · check yours with ./tutorial check 1.3
#include "chapters/01_attention/attention.hpp"

namespace tfs {

SelfAttention::SelfAttention(std::size_t d_model, std::size_t d_k, std::size_t d_v, Rng& rng)
    : w_q(d_model, d_k, rng), w_k(d_model, d_k, rng), w_v(d_model, d_v, rng) {}

AttentionOutput SelfAttention::operator()(const Tensor& x, const std::optional<Mask>& mask) const {
    // TODO 1.3: The queries, keys and values of x, and the attention between them.
    throw NotImplemented("1.3 self_attention");
}

Parameters SelfAttention::parameters() const {
    Parameters all;
    append(all, "w_q", w_q.parameters());
    append(all, "w_k", w_k.parameters());
    append(all, "w_v", w_v.parameters());
    return all;
}

}  // namespace tfs
