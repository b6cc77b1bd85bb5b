// Step 6.2 · residual · ●●○ · 15 min
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

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    // begin: x + dropout(sublayer(norm(x))). It is a residual whose sublayer is "first the norm, then the
    // sublayer": give `residual` a lambda that says so. What is added to is x, not norm(x).
    const auto norm_first = [&](const Tensor& input) { return sublayer(norm(input)); };
    return residual(x, norm_first, p, rng);
    // end
}

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    // begin: norm(x + dropout(sublayer(x))): the norm of what `residual` returns.
    return norm(residual(x, sublayer, p, rng));
    // end
}

}  // namespace tfs
