// Step 5.3 · gelu_approximations, fast
// solutions/05_feed_forward/gelu_approximations.fast.cpp · one vectorised pass, and one for the gradient
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/pointwise.hpp"
#include "common/kernels/exp.hpp"

namespace tfs {

namespace {

// d/dx of x sigmoid(g(x)) = s + x s (1 - s) g'(x), s = sigmoid(g(x))
inline float gated_slope(float x, float s, float g_slope) { return s + x * s * (1.0f - s) * g_slope; }

// Behind 16 both curves are flat in float; without the limit x^2 would overflow there and infinity * 0 is NaN.
inline float limited(float x) {
    x = x < -16.0f ? -16.0f : x;
    return x > 16.0f ? 16.0f : x;
}

}  // namespace

Tensor gelu_tanh(const Tensor& x) {
    // (1 + tanh(z)) / 2 = sigmoid(2 z): no tanh is needed, and nothing cancels where x is near 0.
    constexpr float twice = 2.0f * 0.7978845608f, cubic = 0.044715f;  // 2 sqrt(2 / pi)
    const auto value = [](float x_i) {
        const float z = limited(x_i);
        return x_i * kernels::sigmoid(twice * z * (1.0f + cubic * z * z));
    };
    const auto slope = [](float x_i) {
        const float z = limited(x_i), s = kernels::sigmoid(twice * z * (1.0f + cubic * z * z));
        return gated_slope(z, s, twice * (1.0f + 3.0f * cubic * z * z));
    };
    return pointwise(x, value, slope);
}

Tensor gelu_sigmoid(const Tensor& x) {
    constexpr float steepness = 1.702f;
    const auto value = [](float x_i) { return x_i * kernels::sigmoid(steepness * x_i); };
    const auto slope = [](float x_i) {
        return gated_slope(x_i, kernels::sigmoid(steepness * x_i), steepness);
    };
    return pointwise(x, value, slope);
}

}  // namespace tfs
