// Step 5.1 · activations · ●●○ · 15 min
// exercises/05_feed_forward/activations.cpp · check yours with ./tutorial check 5.1
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor relu(const Tensor& x) { return maximum(x, 0.0f); }

Tensor gelu(const Tensor& x) { return 0.5f * x * (1.0f + erf(x / std::numbers::sqrt2_v<float>)); }

Tensor gelu_tanh(const Tensor& x) {
    // TODO 5.1: This function and the next two have one fault each. Only one of the three returns wrong values.
    // Measure before you mend: ./tutorial run 5 --mine -- --section slopes
    const float scale = std::sqrt(2.0f) / std::numbers::pi_v<float>;
    return 0.5f * x * (1.0f + tanh(scale * (x + 0.044715f * x * x * x)));
}

Tensor gelu_sigmoid(const Tensor& x) {
    // TODO 5.1: The second fault.
    Array gate = x.array();
    for (float& each : gate) each = 1.0f / (1.0f + std::exp(-1.702f * each));
    return x * Tensor(gate);
}

Tensor silu(const Tensor& x) {
    // TODO 5.1: The third fault.
    return x / (1.0f + exp(-x));
}

}  // namespace tfs
