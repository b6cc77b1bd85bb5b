// tests/mistakes/05_feed_forward/swiglu.w2_and_w3_swapped.cpp · step 5.6 done wrong: down in the middle
// The checklist must say: "two of the three layers are swapped"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

SwiGLU::SwiGLU(std::size_t d_model, std::size_t d_ff, Rng& rng)
    : gate(d_model, d_ff, rng, Bias::no),
      up(d_model, d_ff, rng, Bias::no),
      down(d_ff, d_model, rng, Bias::no) {}

Tensor SwiGLU::hidden(const Tensor& x) const {
    return silu(gate(x)) * down(x);  // (..., d_ff)
}

Tensor SwiGLU::output(const Tensor& hidden) const {
    return up(hidden);  // (..., d_model)
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
