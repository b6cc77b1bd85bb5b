// chapters/06_residual_dropout/models/attention_with_dropout.fast.cpp · where nobody asks for the weights, they are never all there at once
#include "chapters/01_attention/given/attention_checks.hpp"
#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/tensor/tiled_attention.hpp"

namespace tfs {

AttentionOutput attention_with_dropout(const Tensor& q, const Tensor& k, const Tensor& v,
                                       const std::optional<Mask>& mask, double p, Rng* rng,
                                       const std::optional<Tensor>& bias, Weights keep) {
    require_rate("attention_with_dropout", p);
    if (rng == nullptr || p == 0.0) return scaled_dot_product_attention(q, k, v, mask, bias, keep);
    require_attention_shapes(q, k, v);
    if (keep == Weights::none && tiles_pay(q, bias)) {
        const WeightDropout dropped{rng->bernoulli(1.0 - p), static_cast<float>(1.0 / (1.0 - p))};
        return {tiled_attention(q, k, v, mask, bias, dropped), no_weights()};
    }
    const Tensor weights = dropout(attention_weights(q, k, mask, bias), p, rng);
    return {matmul(weights, v), weights};
}

}  // namespace tfs
