// Step 6.1 · dropout · ●●○ · 15 min
// exercises/06_residual_dropout/dropout.cpp · check yours with ./tutorial check 6.1
#include "chapters/06_residual_dropout/given/dropout_checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    // TODO 6.1: Drop entries of x at random, so that the mean of the result is x. In evaluation and with p = 0 the result
    // is x itself. A bad p is refused: require_rate("dropout", p).
    throw NotImplemented("6.1 dropout");
}

}  // namespace tfs
