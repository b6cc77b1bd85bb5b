// tests/mistakes/06_residual_dropout/residual.sublayer_on_detached_x.cpp · step 6.2 done wrong
// The sublayer sees x without its tape.
// The checklist must say: "x goes into the sublayer detached"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    const Tensor change = sublayer(x.detach());
    require_same_shape("residual", x, change);
    return x + dropout(change, p, rng);
}

}  // namespace tfs
