// Step 5.3 · gelu_approximations
// solutions/05_feed_forward/gelu_approximations.cpp · check yours with ./tutorial check 5.3
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor gelu_tanh(const Tensor& x) {
    // begin 5.3: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. `tanh` is in common/tensor/ops.hpp.
    const float scale = std::sqrt(2.0f / std::numbers::pi_v<float>);
    return 0.5f * x * (1.0f + tanh(scale * (x + 0.044715f * x * x * x)));
    // end 5.3
}

Tensor gelu_sigmoid(const Tensor& x) {
    // begin 5.3: x sigmoid(1.702 x).
    return x * sigmoid(1.702f * x);
    // end 5.3
}

}  // namespace tfs
