// tests/mistakes/06_residual_dropout/dropout.multiplied.cpp · step 6.1 done wrong
// Multiplied by 1 - p where it must be divided.
// The checklist must say: "it is multiplied by 1 - p"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (rng == nullptr || p == 0.0) return x;
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 - p);
}

}  // namespace tfs
