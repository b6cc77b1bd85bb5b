// tests/mistakes/05_feed_forward/swiglu.gate_on_the_wrong_branch.cpp · step 5.6 done wrong: silu on up
// The checklist must say: "silu stands on the wrong branch"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

SwiGLU::SwiGLU(std::size_t d_model, std::size_t d_ff, Rng& rng)
    : gate(d_model, d_ff, rng, Bias::no),
      up(d_model, d_ff, rng, Bias::no),
      down(d_ff, d_model, rng, Bias::no) {}

Tensor SwiGLU::hidden(const Tensor& x) const {
    return gate(x) * silu(up(x));  // (..., d_ff)
}

Tensor SwiGLU::output(const Tensor& hidden) const {
    return down(hidden);  // (..., d_model)
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
