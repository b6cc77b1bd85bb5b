// Step 6.4 · post_norm_residual · ●○○ · 5 min
// solutions/06_residual_dropout/post_norm_residual.cpp
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    // begin: norm(x + dropout(sublayer(x))): the norm of what step residual returns.
    return norm(residual(x, sublayer, p, rng));
    // end
}

}  // namespace tfs
