// Step 6.1 · dropout · ●●○ · 15 min
// solutions/06_residual_dropout/dropout.cpp
#include "chapters/06_residual_dropout/given/dropout_checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    // begin: Drop entries of x at random, so that the mean of the result is x. In evaluation and with p = 0 the result
    // is x itself. A bad p is refused: require_rate("dropout", p).
    require_rate("dropout", p);
    if (rng == nullptr || p == 0.0) return x;
    const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));  // 1 or 0 for each entry
    return x * kept * static_cast<float>(1.0 / (1.0 - p));
    // end
}

}  // namespace tfs
