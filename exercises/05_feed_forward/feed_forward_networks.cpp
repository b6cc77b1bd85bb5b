// Step 5.2 · feed_forward_networks · ●●○ · 15 min
// exercises/05_feed_forward/feed_forward_networks.cpp · check yours with ./tutorial check 5.2
#include <fmt/format.h>

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
    throw NotImplemented("5.2 feed_forward_networks");
}

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

Tensor SwiGLU::hidden(const Tensor& x) const {
    // TODO 5.2: The gated hidden layer: x (..., d_model) becomes (..., d_ff).
    throw NotImplemented("5.2 feed_forward_networks");
}

Tensor SwiGLU::output(const Tensor& hidden) const { return down(hidden); }  // (..., d_model)

Tensor SwiGLU::operator()(const Tensor& x) const { return output(hidden(x)); }

Parameters SwiGLU::parameters() const {
    Parameters all;
    append(all, "gate", gate.parameters());
    append(all, "up", up.parameters());
    append(all, "down", down.parameters());
    return all;
}

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    if (d_ff < 2 || multiple_of == 0) {
        throw ValueError(fmt::format(
            "swiglu_hidden_size: d_ff {}, multiple_of {}: d_ff must be at least 2 and multiple_of at least 1",
            d_ff, multiple_of));
    }
    // TODO 5.2: Two thirds of d_ff, cut off, then rounded up to a multiple of multiple_of.
    throw NotImplemented("5.2 feed_forward_networks");
}

}  // namespace tfs
