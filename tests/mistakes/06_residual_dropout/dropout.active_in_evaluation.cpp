// tests/mistakes/06_residual_dropout/dropout.active_in_evaluation.cpp · step 6.1 done wrong
// Without an Rng it takes one of its own, and drops.
// The checklist must say: "dropout is active in evaluation"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (p == 0.0) return x;
    Rng own(1);
    if (rng == nullptr) rng = &own;
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 / (1.0 - p));
}

}  // namespace tfs
