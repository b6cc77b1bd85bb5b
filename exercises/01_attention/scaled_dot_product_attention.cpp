// Step 1.3 · scaled_dot_product_attention · ●●○ · 15 min
// exercises/01_attention/scaled_dot_product_attention.cpp · check yours with ./tutorial check 1.3
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/attention_checks.hpp"

namespace tfs {

Tensor attention_weights(const Tensor& q, const Tensor& k, const std::optional<Mask>& mask,
                         const std::optional<Tensor>& bias) {
    require_attention_shapes(q, k);
    // TODO 1.3: The weights softmax(q kᵀ / sqrt(d_k)). Where there is a bias, it is added to the scaled scores. A key that the
    // mask forbids gets the weight 0.
    throw NotImplemented("1.3 scaled_dot_product_attention");
}

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask,
                                             const std::optional<Tensor>& bias, Weights) {
    require_attention_shapes(q, k, v);
    // TODO 1.3: The weighted mean of the values, and the weights, which attention_weights gives you.
    throw NotImplemented("1.3 scaled_dot_product_attention");
}

}  // namespace tfs
