// tests/mistakes/06_residual_dropout/dropout.scaled_in_evaluation.cpp · step 6.1 done wrong
// The paper's first form: nothing is divided in training, and evaluation multiplies by 1 - p instead.
// The checklist must say: "in evaluation x is multiplied by 1 - p"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (p == 0.0) return x;
    if (rng == nullptr) return x * static_cast<float>(1.0 - p);
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept;
}

}  // namespace tfs
