// Step 6.1 · dropout · ●●○ · 10 min
// solutions/06_residual_dropout/dropout.cpp
#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    // begin: This function has two faults, and nothing fails. Measure before you mend:
    // ./tutorial run 6 --mine -- --section mean
    if (rng == nullptr || p == 0.0) return x;
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 / (1.0 - p));
    // instead
    // if (p == 0.0) return x;
    // const auto keep = static_cast<float>(1.0 - p);
    // if (rng == nullptr) return x * keep;
    // Rng coins = *rng;
    // const Tensor kept(coins.bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    // return x * kept / keep;
    // end
}

}  // namespace tfs
