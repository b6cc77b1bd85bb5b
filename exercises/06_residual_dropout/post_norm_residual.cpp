// Step 6.4 · post_norm_residual · ●○○ · 5 min
// exercises/06_residual_dropout/post_norm_residual.cpp · check yours with ./tutorial check 6.4
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    // TODO 6.4: norm(x + dropout(sublayer(x))): the norm of what step residual returns.
    throw NotImplemented("6.4 post_norm_residual");
}

}  // namespace tfs
