// Step 1.1 · softmax · ●●○ · 15 min
// solutions/01_attention/softmax.cpp
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    // begin: The softmax along `axis`, right for entries of any size. In a row of only -inf all weights are 0: there what you subtract
    // must be at least std::numeric_limits<float>::lowest(), and what you divide by at least 1 (`maximum(tensor, number)`).
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const Tensor largest = maximum(max(x, axis, KeepDims::yes), lowest).detach();  // it cancels: no gradient
    const Tensor exponentials = exp(x - largest);
    // The largest entry contributes exp(0) = 1, so the sum is at least 1, except where all entries are -inf.
    return exponentials / maximum(sum(exponentials, axis, KeepDims::yes), 1.0f);
    // end
}

}  // namespace tfs
