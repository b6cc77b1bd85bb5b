// Step 5.2 · gelu, fast
// solutions/05_feed_forward/gelu.fast.cpp · one vectorised pass, and one for the gradient
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/pointwise.hpp"
#include "common/kernels/erf.hpp"

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

}  // namespace

Tensor gelu(const Tensor& x) {
    const auto value = [](float x_i) { return x_i * cumulative_normal(x_i); };
    const auto slope = [](float x_i) { return cumulative_normal(x_i) + x_i * normal_density(x_i); };
    return pointwise(x, value, slope);
}

}  // namespace tfs
