// tests/mistakes/06_residual_dropout/residual.added_twice.cpp · step 6.2 done wrong
// The sublayer is added twice.
// The checklist must say: "the sublayer is added twice"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    const Tensor change = sublayer(x);
    require_same_shape("residual", x, change);
    return x + dropout(change, p, rng) + dropout(change, p, rng);
}

}  // namespace tfs
