// chapters/05_feed_forward/models/networks.cpp · what the two networks are beside their hidden layers
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

Tensor FeedForward::output(const Tensor& hidden) const { return down(hidden); }  // (..., d_model)

Tensor FeedForward::operator()(const Tensor& x) const { return output(hidden(x)); }

Parameters FeedForward::parameters() const {
    Parameters all;
    append(all, "up", up.parameters());
    append(all, "down", down.parameters());
    return all;
}

SwiGLU::SwiGLU(std::size_t d_model, std::size_t d_ff, Rng& rng, Bias with_bias)
    : gate(d_model, d_ff, rng, with_bias),
      up(d_model, d_ff, rng, with_bias),
      down(d_ff, d_model, rng, with_bias) {}

Tensor SwiGLU::output(const Tensor& hidden) const { return down(hidden); }  // (..., d_model)

Tensor SwiGLU::operator()(const Tensor& x) const { return output(hidden(x)); }

Parameters SwiGLU::parameters() const {
    Parameters all;
    append(all, "gate", gate.parameters());
    append(all, "up", up.parameters());
    append(all, "down", down.parameters());
    return all;
}

}  // namespace tfs
