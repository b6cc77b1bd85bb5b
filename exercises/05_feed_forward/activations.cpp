// Step 5.1 · activations · ●●○ · 15 min
// exercises/05_feed_forward/activations.cpp · check yours with ./tutorial check 5.1
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor relu(const Tensor& x) {
    // TODO 5.1: The larger of x and 0, entry by entry. common/tensor/ops.hpp has an operation for it.
    throw NotImplemented("5.1 activations");
}

Tensor gelu(const Tensor& x) {
    // TODO 5.1: x times Phi(x), the share of a standard normal distribution that lies below x:
    // Phi(x) = (1 + erf(x / sqrt(2))) / 2. `erf` is in common/tensor/ops.hpp.
    throw NotImplemented("5.1 activations");
}

Tensor gelu_tanh(const Tensor& x) {
    // TODO 5.1: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. `tanh` is in common/tensor/ops.hpp.
    throw NotImplemented("5.1 activations");
}

Tensor gelu_sigmoid(const Tensor& x) {
    // TODO 5.1: x sigmoid(1.702 x).
    throw NotImplemented("5.1 activations");
}

Tensor silu(const Tensor& x) {
    // TODO 5.1: x times its own sigmoid: x decides by itself how much of it may pass.
    throw NotImplemented("5.1 activations");
}

}  // namespace tfs
