// Step 10.5 · learning_rate · ●○○ · 10 min
// exercises/10_training/learning_rate.cpp · check yours with ./tutorial check 10.5
#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/10_training/given/checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

double learning_rate(const WarmupCosine& schedule, std::size_t step) {
    require_schedule(schedule, step);
    // TODO 10.5: A straight line to the peak at step `warmup`, then half a cosine to `final` at step `total`. Mind that
    // sizes are unsigned and that their quotient is a whole number.
    throw NotImplemented("10.5 learning_rate");
}

double learning_rate(const Noam& schedule, std::size_t step) {
    require_schedule(schedule, step);
    // TODO 10.5: Equation 3, with both powers in double.
    throw NotImplemented("10.5 learning_rate");
}

}  // namespace tfs
