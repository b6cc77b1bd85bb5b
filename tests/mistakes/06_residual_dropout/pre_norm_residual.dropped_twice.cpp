// tests/mistakes/06_residual_dropout/pre_norm_residual.dropped_twice.cpp · step 6.3 done wrong
// Dropout in the lambda, and p handed to residual as well.
// The checklist must say: "dropped twice"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    const auto norm_first = [&](const Tensor& input) { return dropout(sublayer(norm(input)), p, rng); };
    return residual(x, norm_first, p, rng);
}

}  // namespace tfs
