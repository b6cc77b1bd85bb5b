// tests/mistakes/01_attention/softmax.sum_detached.cpp · step 1.1 done wrong: no gradient through the sum
// The checklist must say: "only the maximum may be detached"
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    constexpr float floor = std::numeric_limits<float>::lowest();
    const Tensor largest = maximum(max(x, axis, KeepDims::yes), floor).detach();
    const Tensor exponentials = exp(x - largest);
    return exponentials / maximum(sum(exponentials, axis, KeepDims::yes), 1.0f).detach();
}

}  // namespace tfs
