// tests/mistakes/05_feed_forward/gelu_approximations.no_1702.cpp · step 5.3 done wrong: this is silu
// The checklist must say: "the factor 1.702 is missing"
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor gelu_tanh(const Tensor& x) {
    const float scale = std::sqrt(2.0f / std::numbers::pi_v<float>);
    return 0.5f * x * (1.0f + tanh(scale * (x + 0.044715f * x * x * x)));
}

Tensor gelu_sigmoid(const Tensor& x) { return x * sigmoid(x); }

}  // namespace tfs
