// tests/mistakes/06_residual_dropout/dropout.p_checked_too_late.cpp · step 6.1 done wrong
// In evaluation it returns before p is looked at.
// The checklist must say: "p is not checked, or only after the early return"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    if (rng == nullptr || p == 0.0) return x;
    require_rate("dropout", p);
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 / (1.0 - p));
}

}  // namespace tfs
