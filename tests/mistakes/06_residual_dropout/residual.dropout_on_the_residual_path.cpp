// tests/mistakes/06_residual_dropout/residual.dropout_on_the_residual_path.cpp · step 6.2 done wrong
// Dropout acts on x instead of the sublayer.
// The checklist must say: "dropout acts on x, the residual path"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    const Tensor change = sublayer(x);
    require_same_shape("residual", x, change);
    return dropout(x, p, rng) + change;
}

}  // namespace tfs
