// Step 5.2 · feed_forward · ●●○ · 10 min
// exercises/05_feed_forward/feed_forward.cpp · check yours with ./tutorial check 5.2
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor activate(Activation activation, const Tensor& x) {
    switch (activation) {
        case Activation::relu:
            return relu(x);
        case Activation::gelu:
            return gelu(x);
        case Activation::gelu_tanh:
            return gelu_tanh(x);
        case Activation::gelu_sigmoid:
            return gelu_sigmoid(x);
        case Activation::silu:
            return silu(x);
    }
    throw ValueError("activate: this is none of the five activations");
}

FeedForward::FeedForward(std::size_t d_model, std::size_t d_ff, Rng& rng, Activation chosen, Bias with_bias)
    : up(d_model, d_ff, rng, with_bias), down(d_ff, d_model, rng, with_bias), activation(chosen) {}

Tensor FeedForward::hidden(const Tensor& x) const {
    // TODO 5.2: The hidden layer: x (..., d_model) becomes (..., d_ff).
    throw NotImplemented("5.2 feed_forward");
}

Tensor FeedForward::output(const Tensor& hidden) const {
    // TODO 5.2: The output: the hidden layer (..., d_ff) becomes (..., d_model).
    throw NotImplemented("5.2 feed_forward");
}

Tensor FeedForward::operator()(const Tensor& x) const {
    // TODO 5.2: The whole network.
    throw NotImplemented("5.2 feed_forward");
}

Parameters FeedForward::parameters() const {
    Parameters all;
    append(all, "up", up.parameters());
    append(all, "down", down.parameters());
    return all;
}

}  // namespace tfs
