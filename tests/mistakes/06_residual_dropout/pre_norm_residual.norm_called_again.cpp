// tests/mistakes/06_residual_dropout/pre_norm_residual.norm_called_again.cpp · step 6.3 done wrong
// norm(x) for queries, keys and values: three times the same work.
// The checklist must say: "the norm must be called once"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    return residual(
        x,
        [&](const Tensor& input) {
            (void)norm(input);
            (void)norm(input);
            return sublayer(norm(input));
        },
        p, rng);
}

}  // namespace tfs
