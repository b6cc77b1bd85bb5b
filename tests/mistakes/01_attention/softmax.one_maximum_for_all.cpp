// tests/mistakes/01_attention/softmax.one_maximum_for_all.cpp · step 1.1 done wrong
// The largest entry of the whole tensor is subtracted.
// The checklist must say: "one maximum for the whole tensor"
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const Tensor largest =
        maximum(max(reshape(x, {x.size()}), 0), lowest).detach();  // a shift needs no gradient
    const Tensor exponentials = exp(x - largest);
    return exponentials / sum(exponentials, axis, KeepDims::yes);
}

}  // namespace tfs
