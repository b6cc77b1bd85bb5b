// tests/mistakes/06_residual_dropout/pre_norm_residual.norm_on_the_residual_path.cpp · step 6.3 done wrong
// The normalised x is added to.
// The checklist must say: "the norm stands on the residual path"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    return residual(norm(x), sublayer, p, rng);
}

}  // namespace tfs
