// tests/mistakes/06_residual_dropout/residual.x_forgotten.cpp · step 6.2 done wrong
// The sublayer alone.
// The checklist must say: "x is forgotten"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    const Tensor change = sublayer(x);
    require_same_shape("residual", x, change);
    return dropout(change, p, rng);
}

}  // namespace tfs
