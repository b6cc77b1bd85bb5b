// chapters/06_residual_dropout/models/attention_with_dropout.cpp · attention whose weights are dropped before they meet the values
#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

AttentionOutput attention_with_dropout(const Tensor& q, const Tensor& k, const Tensor& v,
                                       const std::optional<Mask>& mask, double p, Rng* rng,
                                       const std::optional<Tensor>& bias, Weights keep) {
    require_rate("attention_with_dropout", p);
    if (rng == nullptr || p == 0.0) return scaled_dot_product_attention(q, k, v, mask, bias, keep);
    const Tensor weights = dropout(attention_weights(q, k, mask, bias), p, rng);
    return {matmul(weights, v), weights};  // (batch, heads, query, d_v)
}

}  // namespace tfs
