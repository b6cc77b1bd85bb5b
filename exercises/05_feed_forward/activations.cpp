// Step 5.1 · activations · ●●○ · 15 min
// exercises/05_feed_forward/activations.cpp · check yours with ./tutorial check 5.1
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor relu(const Tensor& x) {
    // TODO 5.1: The larger of x and 0, entry by entry.
    throw NotImplemented("5.1 activations");
}

Tensor gelu(const Tensor& x) {
    // TODO 5.1: x times Phi(x), the share of a standard normal distribution that lies below x. No approximation.
    throw NotImplemented("5.1 activations");
}

Tensor gelu_tanh(const Tensor& x) {
    // TODO 5.1: The approximation of gelu by tanh (the formula is in the contract).
    throw NotImplemented("5.1 activations");
}

Tensor gelu_sigmoid(const Tensor& x) {
    // TODO 5.1: The approximation of gelu by sigmoid.
    throw NotImplemented("5.1 activations");
}

Tensor silu(const Tensor& x) {
    // TODO 5.1: x times its own sigmoid.
    throw NotImplemented("5.1 activations");
}

}  // namespace tfs
