// tests/mistakes/06_residual_dropout/dropout.not_scaled.cpp · step 6.1 done wrong
// What is kept stays as it is, so the mean of the result is (1 - p) x.
// The checklist must say: "nothing is divided"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (rng == nullptr || p == 0.0) return x;
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept;
}

}  // namespace tfs
