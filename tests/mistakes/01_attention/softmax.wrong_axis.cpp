// tests/mistakes/01_attention/softmax.wrong_axis.cpp · step 1.1 done wrong: the sum over the first axis
// The checklist must say: "the sum runs over the wrong axis"
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    axis = 0;
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const Tensor largest =
        maximum(max(x, axis, KeepDims::yes), lowest).detach();  // a shift needs no gradient
    const Tensor exponentials = exp(x - largest);
    // The largest entry contributes exp(0) = 1, so the sum is at least 1, except where all entries are -inf.
    return exponentials / maximum(sum(exponentials, axis, KeepDims::yes), 1.0f);
}

}  // namespace tfs
