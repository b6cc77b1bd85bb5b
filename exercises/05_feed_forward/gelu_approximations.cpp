// Step 5.3 · gelu_approximations · ●○○ · 5 min
// exercises/05_feed_forward/gelu_approximations.cpp · check yours with ./tutorial check 5.3
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor gelu_tanh(const Tensor& x) {
    // TODO 5.3: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. `tanh` is in common/tensor/ops.hpp.
    throw NotImplemented("5.3 gelu_approximations");
}

Tensor gelu_sigmoid(const Tensor& x) {
    // TODO 5.3: x sigmoid(1.702 x).
    throw NotImplemented("5.3 gelu_approximations");
}

}  // namespace tfs
