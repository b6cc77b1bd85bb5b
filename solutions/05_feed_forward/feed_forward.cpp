// Step 5.2 · feed_forward · ●●○ · 10 min
// solutions/05_feed_forward/feed_forward.cpp
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
    // begin: The hidden layer: x (..., d_model) becomes (..., d_ff).
    return activate(activation, up(x));  // (..., d_ff)
    // end
}

Tensor FeedForward::output(const Tensor& hidden) const {
    // begin: The output: the hidden layer (..., d_ff) becomes (..., d_model).
    return down(hidden);  // (..., d_model)
    // end
}

Tensor FeedForward::operator()(const Tensor& x) const {
    // begin: The whole network.
    return output(hidden(x));  // (..., d_model)
    // end
}

Parameters FeedForward::parameters() const {
    Parameters all;
    append(all, "up", up.parameters());
    append(all, "down", down.parameters());
    return all;
}

}  // namespace tfs
