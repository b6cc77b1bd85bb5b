// tests/mistakes/06_residual_dropout/pre_norm_residual.rng_not_passed_on.cpp · step 6.3 done wrong
// p and rng are not passed on, so nothing is ever dropped.
// The checklist must say: "p and rng are not passed on"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    (void)p;
    (void)rng;
    return residual(x, [&](const Tensor& input) { return sublayer(norm(input)); });
}

}  // namespace tfs
