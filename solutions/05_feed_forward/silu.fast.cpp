// Step 5.4 · silu, fast
// solutions/05_feed_forward/silu.fast.cpp · one vectorised pass, and one for the gradient
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/pointwise.hpp"
#include "common/kernels/exp.hpp"

namespace tfs {

Tensor silu(const Tensor& x) {
    const auto value = [](float x_i) { return x_i * kernels::sigmoid(x_i); };
    const auto slope = [](float x_i) {
        const float s = kernels::sigmoid(x_i);
        return s + x_i * s * (1.0f - s);
    };
    return pointwise(x, value, slope);
}

}  // namespace tfs
