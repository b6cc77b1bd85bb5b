// Step 6.3 · pre_norm_residual
// solutions/06_residual_dropout/pre_norm_residual.cpp · check yours with ./tutorial check 6.3
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    // begin 6.3: x + dropout(sublayer(norm(x))). It is a residual whose sublayer is "first the norm, then the
    // sublayer": give step 6.2 a lambda that says so. What is added to is x, not norm(x).
    const auto norm_first = [&](const Tensor& input) { return sublayer(norm(input)); };
    return residual(x, norm_first, p, rng);
    // end 6.3
}

}  // namespace tfs
