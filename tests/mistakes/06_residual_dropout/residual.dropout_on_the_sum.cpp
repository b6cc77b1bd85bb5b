// tests/mistakes/06_residual_dropout/residual.dropout_on_the_sum.cpp · step 6.2 done wrong
// Dropout acts on x as well.
// The checklist must say: "dropout acts on the whole sum, so x is dropped too"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    const Tensor change = sublayer(x);
    require_same_shape("residual", x, change);
    return dropout(x + change, p, rng);
}

}  // namespace tfs
