// Step 1.1 · softmax · ●●○ · 15 min
// exercises/01_attention/softmax.cpp · check yours with ./tutorial check 1.1
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    // TODO 1.1: exp(x) divided by its sum along `axis`. Subtract the largest entry along `axis` first: the result is
    // the same, and exp can't overflow. KeepDims::yes keeps the axis, so that the largest entry and the sum broadcast.
    // Where all entries are -inf the result must be 0: see to it that neither -inf - (-inf) nor 0 / 0 is computed
    // (`maximum` in common/tensor/ops.hpp keeps a tensor above a floor).
    throw NotImplemented("1.1 softmax");
}

}  // namespace tfs
