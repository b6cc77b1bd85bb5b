// Step 5.3 · gelu_approximations · ●○○ · 5 min
// solutions/05_feed_forward/gelu_approximations.cpp
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor gelu_tanh(const Tensor& x) {
    // begin: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. `tanh` is in common/tensor/ops.hpp.
    const float scale = std::sqrt(2.0f / std::numbers::pi_v<float>);
    return 0.5f * x * (1.0f + tanh(scale * (x + 0.044715f * x * x * x)));
    // end
}

Tensor gelu_sigmoid(const Tensor& x) {
    // begin: x sigmoid(1.702 x).
    return x * sigmoid(1.702f * x);
    // end
}

}  // namespace tfs
