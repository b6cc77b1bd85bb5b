// Step 1.2 · softmax · ●●○ · 15 min
// exercises/01_attention/softmax.cpp · check yours with ./tutorial check 1.2
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    // Given, for the rows of only -inf that chapter 02 makes (their weights are 0): divide by no less than `least`, and if you
    // subtract something, let it be no less than `lowest`. maximum(tensor, number) sees to that.
    [[maybe_unused]] constexpr float lowest = std::numeric_limits<float>::lowest();
    constexpr float least = 1e-30f;
    // TODO 1.2: These lines are attention_loops on tensors: exponentials, divided by their sum. They have two faults; one of
    // them gives no error for some shapes. Measure before you mend: ./tutorial run 1 --mine -- --section softmax
    const Tensor exponentials = exp(x);
    return exponentials / maximum(sum(exponentials, axis), least);
}

}  // namespace tfs
