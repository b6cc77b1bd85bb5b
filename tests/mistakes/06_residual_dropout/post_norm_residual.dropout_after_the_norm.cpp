// tests/mistakes/06_residual_dropout/post_norm_residual.dropout_after_the_norm.cpp · step 6.4 done wrong
// Dropout stands after the norm.
// The checklist must say: "dropout acts after the norm"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    return dropout(norm(residual(x, sublayer)), p, rng);
}

}  // namespace tfs
