// tests/mistakes/06_residual_dropout/dropout.rng_copied.cpp · step 6.1 done wrong
// The mask comes from a copy of the generator, which is where it was at the next call.
// The checklist must say: "the same mask every call"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (rng == nullptr || p == 0.0) return x;
    Rng copy = *rng;
    const Tensor kept(copy.bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 / (1.0 - p));
}

}  // namespace tfs
