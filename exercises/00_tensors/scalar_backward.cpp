// Step 0.5 · scalar_backward · ●●● · 25 min
// exercises/00_tensors/scalar_backward.cpp · check yours with ./tutorial check 0.5
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "chapters/00_tensors/scalars.hpp"
#include "common/base/errors.hpp"

namespace tfs {

void scalar_backward(Scalar& loss) {
    // TODO 0.5: In which order does each number send to its parents once? About 25 lines, without recursion: a chain of 100,000 calls
    // does not fit on the stack.
    throw NotImplemented("0.5 scalar_backward");
}

}  // namespace tfs
