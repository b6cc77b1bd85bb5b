// Step 1.1 · softmax · ●●○ · 15 min
// solutions/01_attention/softmax.cpp
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    // begin: exp(x) divided by its sum along `axis`. Subtract the largest entry along `axis` first: the result is
    // the same, and exp can't overflow. KeepDims::yes keeps the axis, so that the largest entry and the sum broadcast.
    // Where all entries are -inf the result must be 0: see to it that neither -inf - (-inf) nor 0 / 0 is computed
    // (`maximum` in common/tensor/ops.hpp keeps a tensor above a floor).
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const Tensor largest = maximum(max(x, axis, KeepDims::yes), lowest).detach();  // it cancels: no gradient
    const Tensor exponentials = exp(x - largest);
    // The largest entry contributes exp(0) = 1, so the sum is at least 1, except where all entries are -inf.
    return exponentials / maximum(sum(exponentials, axis, KeepDims::yes), 1.0f);
    // end
}

}  // namespace tfs
