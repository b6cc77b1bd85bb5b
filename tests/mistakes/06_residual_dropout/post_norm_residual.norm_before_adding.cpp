// tests/mistakes/06_residual_dropout/post_norm_residual.norm_before_adding.cpp · step 6.4 done wrong
// The norm acts on what the sublayer made, before it is added.
// The checklist must say: "the norm acts on the sublayer's output before the addition"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p,
                          Rng* rng) {
    return residual(
        x, [&](const Tensor& input) { return norm(sublayer(input)); }, p, rng);
}

}  // namespace tfs
