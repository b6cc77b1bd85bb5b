// tests/mistakes/06_residual_dropout/residual.left_out_in_evaluation.cpp · step 6.2 done wrong
// Without an Rng it returns x: dropout's early return in the wrong place.
// The checklist must say: "in evaluation x comes back without the sublayer"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    if (rng == nullptr) return x;
    const Tensor change = sublayer(x);
    require_same_shape("residual", x, change);
    return x + dropout(change, p, rng);
}

}  // namespace tfs
