// tests/mistakes/01_attention/softmax.floor_too_high.cpp · step 1.1 done wrong
// The maximum is held above 1e-38.
// The checklist must say: "a floor that is too high"
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    constexpr float floor = std::numeric_limits<float>::min();
    const Tensor largest = maximum(max(x, axis, KeepDims::yes), floor).detach();
    const Tensor exponentials = exp(x - largest);
    return exponentials / maximum(sum(exponentials, axis, KeepDims::yes), floor);
}

}  // namespace tfs
