// tests/mistakes/06_residual_dropout/dropout.keeps_with_p.cpp · step 6.1 done wrong
// The mask is 1 with probability p.
// The checklist must say: "p is the probability to DROP"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (rng == nullptr || p == 0.0) return x;
    const Tensor kept(rng->bernoulli_array(x.shape(), p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 / (1.0 - p));
}

}  // namespace tfs
