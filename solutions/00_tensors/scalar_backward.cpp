// Step 0.5 · scalar_backward · ●●● · 25 min
// solutions/00_tensors/scalar_backward.cpp
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "chapters/00_tensors/scalars.hpp"
#include "common/base/errors.hpp"

namespace tfs {

void scalar_backward(Scalar& loss) {
    // begin: In which order does each number send to its parents once? About 25 lines, without recursion: a chain of 100,000 calls
    // does not fit on the stack.

    // Count the uses of each number on the way from the loss, and forget its earlier gradient.
    std::unordered_map<Scalar*, std::size_t> waits_for;  // uses that have not sent their part yet
    std::vector<Scalar*> todo{&loss};
    while (!todo.empty()) {
        Scalar* const number = todo.back();
        todo.pop_back();
        number->gradient = 0.0;
        for (Scalar* const parent : number->parents)
            if (waits_for[parent]++ == 0) todo.push_back(parent);
    }
    // Go back: a number goes on the list once its last use has sent to it, when its gradient is complete.
    loss.gradient = 1.0;
    todo = {&loss};
    while (!todo.empty()) {
        const Scalar* const number = todo.back();
        todo.pop_back();
        for (std::size_t i = 0; i < number->parents.size(); ++i) {
            Scalar* const parent = number->parents[i];
            parent->gradient += number->gradient * number->local[i];
            if (--waits_for[parent] == 0) todo.push_back(parent);
        }
    }
    // end
}

}  // namespace tfs
