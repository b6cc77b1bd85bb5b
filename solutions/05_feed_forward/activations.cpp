// Step 5.1 · activations · ●●○ · 15 min
// solutions/05_feed_forward/activations.cpp
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor relu(const Tensor& x) {
    // begin: The larger of x and 0, entry by entry.
    return maximum(x, 0.0f);
    // end
}

Tensor gelu(const Tensor& x) {
    // begin: x times Phi(x), the share of a standard normal distribution that lies below x. No approximation.
    return 0.5f * x * (1.0f + erf(x / std::numbers::sqrt2_v<float>));
    // end
}

Tensor gelu_tanh(const Tensor& x) {
    // begin: The approximation of gelu by tanh (the formula is in the contract).
    const float scale = std::sqrt(2.0f / std::numbers::pi_v<float>);
    return 0.5f * x * (1.0f + tanh(scale * (x + 0.044715f * x * x * x)));
    // end
}

Tensor gelu_sigmoid(const Tensor& x) {
    // begin: The approximation of gelu by sigmoid.
    return x * sigmoid(1.702f * x);
    // end
}

Tensor silu(const Tensor& x) {
    // begin: x times its own sigmoid.
    return x * sigmoid(x);
    // end
}

}  // namespace tfs
