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
    // TODO 1.2: The weights softmax(q kᵀ / sqrt(d_k)) and the weighted mean of the values. A key that the mask forbids
    // gets the weight 0.
    throw NotImplemented("1.2 scaled_dot_product_attention");
}

}  // namespace tfs
