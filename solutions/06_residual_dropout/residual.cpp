// Step 6.2 · residual · ●●○ · 15 min
// solutions/06_residual_dropout/residual.cpp
#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    // begin: Add to x what the sublayer makes of it, after dropout. A change of the shape is
    // refused: require_same_shape("residual", x, change).
    const Tensor change = sublayer(x);
    require_same_shape("residual", x, change);
    return x + dropout(change, p, rng);
    // end
}

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    // begin: The residual with the norm inside the branch.
    const auto norm_first = [&](const Tensor& input) { return sublayer(norm(input)); };
    return residual(x, norm_first, p, rng);
    // end
}

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    // begin: The residual with the norm after the addition.
    return norm(residual(x, sublayer, p, rng));
    // end
}

}  // namespace tfs
