// Step 1.2 · scaled_dot_product_attention · ●●○ · 15 min
// exercises/01_attention/scaled_dot_product_attention.cpp · check yours with ./tutorial check 1.2
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    // TODO 1.2: Equation 1 in four lines: the scores q kᵀ / sqrt(d_k); where there is a mask, -inf for the keys that it
    // forbids (`masked_fill`); the weights by softmax over the keys; the output as the weighted sum of the values.
    throw NotImplemented("1.2 scaled_dot_product_attention");
}

}  // namespace tfs
