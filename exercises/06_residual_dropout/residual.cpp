// Step 6.2 · residual · ●●○ · 15 min
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

Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                         Rng* rng) {
    // TODO 6.2: x + dropout(sublayer(norm(x))). It is a residual whose sublayer is "first the norm, then the
    // sublayer": give `residual` a lambda that says so. What is added to is x, not norm(x).
    throw NotImplemented("6.2 residual");
}

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    // TODO 6.2: norm(x + dropout(sublayer(x))): the norm of what `residual` returns.
    throw NotImplemented("6.2 residual");
}

}  // namespace tfs
