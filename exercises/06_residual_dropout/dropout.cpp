// Step 6.1 · dropout · ●●○ · 15 min
// exercises/06_residual_dropout/dropout.cpp · check yours with ./tutorial check 6.1
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    // TODO 6.1: Refuse a p outside [0, 1) (`require_rate("dropout", p)`). In evaluation (rng is null) and with p = 0
    // return x itself. Else draw a mask with an entry for each entry of x, 1 (kept) with probability 1 - p and else 0
    // (`rng->bernoulli_array`), multiply x by it, and scale what is kept so that the mean of the result is x.
    throw NotImplemented("6.1 dropout");
}

}  // namespace tfs
