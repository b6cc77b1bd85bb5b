// tests/mistakes/06_residual_dropout/dropout.one_mask_for_all_rows.cpp · step 6.1 done wrong
// One row of the mask, broadcast: whole columns are dropped.
// The checklist must say: "one mask is repeated along an axis"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (rng == nullptr || p == 0.0 || x.rank() == 0) return x;
    const Tensor kept(rng->bernoulli_array({x.size(-1)}, 1.0 - p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 / (1.0 - p));
}

}  // namespace tfs
