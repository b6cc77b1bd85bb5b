// tests/mistakes/01_attention/softmax.floor_of_zero.cpp · step 1.1 done wrong: the maximum is held above 0
// The checklist must say: "a floor that is too high"
#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    constexpr float floor = 0.0f;
    const Tensor largest = maximum(max(x, axis, KeepDims::yes), floor).detach();
    const Tensor exponentials = exp(x - largest);
    return exponentials / maximum(sum(exponentials, axis, KeepDims::yes), 1.0f);
}

}  // namespace tfs
