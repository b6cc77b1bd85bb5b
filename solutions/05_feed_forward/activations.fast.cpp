// Step 5.1 · activations, fast
// solutions/05_feed_forward/activations.fast.cpp · one vectorised pass each, and one for each gradient
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/pointwise.hpp"
#include "common/kernels/exp.hpp"

namespace tfs {

namespace {

// Phi(x) = (1 + erf(x / sqrt(2))) / 2
inline float cumulative_normal(float x) {
    constexpr float inverse_root = 1.0f / std::numbers::sqrt2_v<float>;
    return 0.5f + 0.5f * kernels::erf(x * inverse_root);
}

// Phi'(x) = exp(-x^2 / 2) / sqrt(2 pi)
inline float normal_density(float x) {
    constexpr float height = std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>;
    return height * kernels::exp(-0.5f * x * x);
}

// d/dx of x sigmoid(g(x)) = s + x s (1 - s) g'(x), s = sigmoid(g(x))
inline float gated_slope(float x, float s, float g_slope) { return s + x * s * (1.0f - s) * g_slope; }

// Beyond 16 the gate of gelu_tanh is 0 or 1 in float. Without the limit x^2 would overflow there, and infinity * 0 is NaN.
inline float limited(float x) {
    x = x < -16.0f ? -16.0f : x;
    return x > 16.0f ? 16.0f : x;
}

}  // namespace

// As in activations.cpp: `maximum` is one pass already, and a fast version of relu gained nothing.
Tensor relu(const Tensor& x) { return maximum(x, 0.0f); }

Tensor gelu(const Tensor& x) {
    const auto value = [](float x_i) { return x_i * cumulative_normal(x_i); };
    const auto slope = [](float x_i) { return cumulative_normal(x_i) + x_i * normal_density(x_i); };
    return pointwise(x, value, slope);
}

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

Tensor silu(const Tensor& x) {
    const auto value = [](float x_i) { return x_i * kernels::sigmoid(x_i); };
    const auto slope = [](float x_i) { return gated_slope(x_i, kernels::sigmoid(x_i), 1.0f); };
    return pointwise(x, value, slope);
}

}  // namespace tfs
