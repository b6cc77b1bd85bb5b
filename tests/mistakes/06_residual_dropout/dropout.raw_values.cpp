// tests/mistakes/06_residual_dropout/dropout.raw_values.cpp · step 6.1 done wrong
// Right numbers, but no gradient goes back.
// The checklist must say: "the result is made from raw values"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (rng == nullptr || p == 0.0) return x;
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    Array y = x.array();
    for (std::size_t i = 0; i < y.size(); ++i)
        y.data()[i] *= kept.values()[i] * static_cast<float>(1.0 / (1.0 - p));
    return Tensor(y);
}

}  // namespace tfs
