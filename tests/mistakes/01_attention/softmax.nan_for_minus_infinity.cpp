// tests/mistakes/01_attention/softmax.nan_for_minus_infinity.cpp · step 1.1 done wrong
// -inf - (-inf) in a row that allows nothing.
// The checklist must say: "a query that may attend to nothing must get zeros"
#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    const Tensor largest = max(x, axis, KeepDims::yes).detach();  // a shift needs no gradient
    const Tensor exponentials = exp(x - largest);
    return exponentials / sum(exponentials, axis, KeepDims::yes);
}

}  // namespace tfs
