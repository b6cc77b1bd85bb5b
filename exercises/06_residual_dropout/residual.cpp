// Step 6.2 · residual · ●●○ · 15 min
// exercises/06_residual_dropout/residual.cpp · check yours with ./tutorial check 6.2
#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    // TODO 6.2: Add to x what the sublayer makes of it, after dropout. A change of the shape is
    // refused: require_same_shape("residual", x, change).
    throw NotImplemented("6.2 residual");
}

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    // TODO 6.2: The residual with the norm inside the branch.
    throw NotImplemented("6.2 residual");
}

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    // TODO 6.2: The residual with the norm after the addition.
    throw NotImplemented("6.2 residual");
}

}  // namespace tfs
