// chapters/06_residual_dropout/models/attention_with_dropout.cpp · attention whose weights are dropped before they meet the values
#include "chapters/01_attention/given/attention_checks.hpp"
#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/tensor/tiled_attention.hpp"

namespace tfs {

AttentionOutput attention_with_dropout(const Tensor& q, const Tensor& k, const Tensor& v,
                                       const std::optional<Mask>& mask, double p, Rng* rng,
                                       const std::optional<Tensor>& bias, Weights keep) {
    require_rate("attention_with_dropout", p);
    require_attention_shapes(q, k, v);
    const bool tiles = keep == Weights::none && tiles_pay(q, bias);
    if (rng == nullptr || p == 0.0) {
        const AttentionOfModels::Function& other = AttentionOfModels::now();
        if (tiles && other && !bias && (!mask || mask->kind() != MaskKind::scattered))
            return {other(q, k, v, mask), no_weights()};
        return scaled_dot_product_attention(q, k, v, mask, bias, keep);
    }
    if (tiles && both_steps_are_fast())
        return {tiled_attention(q, k, v, mask, bias, WeightDropout(p, *rng)), no_weights()};
    const Tensor weights = dropout(attention_weights(q, k, mask, bias), p, rng);
    return {matmul(weights, v), weights};  // (batch, heads, query, d_v)
}

AttentionOutput attention_with_dropout(const MultiHeadAttention& attention, const Tensor& query,
                                       const Tensor& key, const Tensor& value,
                                       const std::optional<Mask>& mask, double p, Rng* rng) {
    const Tensor q = split_heads(attention.w_q(query), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor k = split_heads(attention.w_k(key), attention.num_heads);    // (batch, heads, key, d_k)
    const Tensor v = split_heads(attention.w_v(value), attention.num_heads);  // (batch, heads, key, d_v)
    const auto [heads, weights] = attention_with_dropout(q, k, v, mask, p, rng);
    return {attention.w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
}

}  // namespace tfs
