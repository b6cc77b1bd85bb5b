// tests/mistakes/01_attention/softmax.no_maximum_subtracted.cpp · step 1.1 done wrong
// Exp of the entries as they are.
// The checklist must say: "the maximum is not subtracted"
#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    const Tensor exponentials = exp(x);
    return exponentials / sum(exponentials, axis, KeepDims::yes);
}

}  // namespace tfs
