// Step 6.3 · pre_norm_residual · ●○○ · 5 min
// exercises/06_residual_dropout/pre_norm_residual.cpp · check yours with ./tutorial check 6.3
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    // TODO 6.3: x + dropout(sublayer(norm(x))). It is a residual whose sublayer is "first the norm, then the
    // sublayer": give step residual a lambda that says so. What is added to is x, not norm(x).
    throw NotImplemented("6.3 pre_norm_residual");
}

}  // namespace tfs
