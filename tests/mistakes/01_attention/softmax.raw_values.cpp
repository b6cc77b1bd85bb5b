// tests/mistakes/01_attention/softmax.raw_values.cpp · step 1.1 done wrong
// The result is made from raw values.
// The checklist must say: "the result is made from raw values"
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const Tensor exponentials = exp(x - maximum(max(x, axis, KeepDims::yes), lowest));
    const Tensor y = exponentials / maximum(sum(exponentials, axis, KeepDims::yes), 1.0f);
    return Tensor::from(y.shape(), {y.values().begin(), y.values().end()});
}

}  // namespace tfs
