// tests/mistakes/06_residual_dropout/pre_norm_residual.norm_after_the_sublayer.cpp · step 6.3 done wrong
// The norm stands after the sublayer.
// The checklist must say: "norm and sublayer are exchanged"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    return residual(
        x, [&](const Tensor& input) { return norm(sublayer(input)); }, p, rng);
}

}  // namespace tfs
