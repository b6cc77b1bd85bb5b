// tests/mistakes/06_residual_dropout/post_norm_residual.x_added_again.cpp · step 6.4 done wrong
// x is added once more, after the norm.
// The checklist must say: "x is added again after the norm"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    return x + norm(residual(x, sublayer, p, rng));
}

}  // namespace tfs
