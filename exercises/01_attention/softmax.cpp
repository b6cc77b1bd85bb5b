// Step 1.2 · softmax · ●●○ · 15 min
// exercises/01_attention/softmax.cpp · check yours with ./tutorial check 1.2
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    // Rows of only -inf, which chapter 02 makes, must give zeros. So nothing is divided by less than `least`; and if you subtract
    // something from x, it must not be -inf: maximum(tensor, lowest) sees to that.
    [[maybe_unused]] constexpr float lowest = std::numeric_limits<float>::lowest();
    constexpr float least = 1e-30f;
    // TODO 1.2: These lines are attention_loops on tensors: exponentials, divided by their sum. They have two faults; one of
    // them gives no error for some shapes. Measure before you mend: ./tutorial run 1 --mine -- --section softmax
    const Tensor exponentials = exp(x);
    return exponentials / maximum(sum(exponentials, axis), least);
}

}  // namespace tfs
