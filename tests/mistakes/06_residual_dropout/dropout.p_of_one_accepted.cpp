// tests/mistakes/06_residual_dropout/dropout.p_of_one_accepted.cpp · step 6.1 done wrong
// A p of 1 passes, and 1 / (1 - p) is infinite.
// The checklist must say: "p = 1 is accepted"
#include <fmt/format.h>

#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    if (p < 0.0 || p > 1.0) throw ValueError(fmt::format("dropout: p = {} is no probability", p));
    if (rng == nullptr || p == 0.0) return x;
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 / (1.0 - p));
}

}  // namespace tfs
