// tests/mistakes/06_residual_dropout/post_norm_residual.pre_norm.cpp · step 6.4 done wrong
// x + sublayer(norm(x)).
// The checklist must say: "this is pre-norm"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    return residual(
        x, [&](const Tensor& input) { return sublayer(norm(input)); }, p, rng);
}

}  // namespace tfs
