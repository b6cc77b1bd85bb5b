// Step 5.3 · swiglu · ●●○ · 10 min
// solutions/05_feed_forward/swiglu.cpp
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

SwiGLU::SwiGLU(std::size_t d_model, std::size_t d_ff, Rng& rng, Bias with_bias)
    : gate(d_model, d_ff, rng, with_bias),
      up(d_model, d_ff, rng, with_bias),
      down(d_ff, d_model, rng, with_bias) {}

Tensor SwiGLU::hidden(const Tensor& x) const {
    // begin: The gated hidden layer: x (..., d_model) becomes (..., d_ff).
    return silu(gate(x)) * up(x);  // (..., d_ff)
    // end
}

Tensor SwiGLU::output(const Tensor& hidden) const {
    // begin: The output: the hidden layer (..., d_ff) becomes (..., d_model).
    return down(hidden);  // (..., d_model)
    // end
}

Tensor SwiGLU::operator()(const Tensor& x) const { return output(hidden(x)); }

Parameters SwiGLU::parameters() const {
    Parameters all;
    append(all, "gate", gate.parameters());
    append(all, "up", up.parameters());
    append(all, "down", down.parameters());
    return all;
}

}  // namespace tfs
