// Step 6.2 · residual · ●○○ · 5 min
// exercises/06_residual_dropout/residual.cpp · check yours with ./tutorial check 6.2
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    // TODO 6.2: Call the sublayer on x once, refuse a result of another shape
    // (`require_same_shape("residual", x, …)`), and return x plus the result after dropout. Dropout acts on what is
    // added, not on x.
    throw NotImplemented("6.2 residual");
}

}  // namespace tfs
