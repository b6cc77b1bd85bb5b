// Step 6.3 · pre_norm_residual · ●○○ · 5 min
// solutions/06_residual_dropout/pre_norm_residual.cpp
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    // begin: x + dropout(sublayer(norm(x))). It is a residual whose sublayer is "first the norm, then the
    // sublayer": give step residual a lambda that says so. What is added to is x, not norm(x).
    const auto norm_first = [&](const Tensor& input) { return sublayer(norm(input)); };
    return residual(x, norm_first, p, rng);
    // end
}

}  // namespace tfs
