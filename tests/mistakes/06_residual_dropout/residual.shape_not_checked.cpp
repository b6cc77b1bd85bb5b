// tests/mistakes/06_residual_dropout/residual.shape_not_checked.cpp · step 6.2 done wrong
// What the sublayer made is broadcast against x.
// The checklist must say: "`+` broadcasts what the sublayer made against x"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor residual(const Tensor& x, const Sublayer& sublayer, double p, Rng* rng) {
    const Tensor change = sublayer(x);
    return x + dropout(change, p, rng);
}

}  // namespace tfs
