// Step 6.2 · residual · ●○○ · 5 min
// solutions/06_residual_dropout/residual.cpp
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    // begin: Call the sublayer on x once, refuse a result of another shape
    // (`require_same_shape("residual", x, …)`), and return x plus the result after dropout. Dropout acts on what is
    // added, not on x.
    const Tensor change = sublayer(x);
    require_same_shape("residual", x, change);
    return x + dropout(change, p, rng);
    // end
}

}  // namespace tfs
