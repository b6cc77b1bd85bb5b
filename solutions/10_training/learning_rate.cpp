// Step 10.5 · learning_rate · ●○○ · 10 min
// solutions/10_training/learning_rate.cpp
#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/10_training/given/checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

double learning_rate(const WarmupCosine& schedule, std::size_t step) {
    require_schedule(schedule, step);
    // begin: A straight line to the peak at step `warmup`, then half a cosine to `final` at step `total`. Mind that
    // sizes are unsigned and that their quotient is a whole number.
    const auto s = static_cast<double>(step), warmup = static_cast<double>(schedule.warmup),
               total = static_cast<double>(schedule.total);
    if (step <= schedule.warmup) return schedule.peak * s / warmup;
    const double done = std::min(1.0, (s - warmup) / (total - warmup));  // 0 … 1
    return schedule.final +
           (schedule.peak - schedule.final) * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
    // end
}

double learning_rate(const Noam& schedule, std::size_t step) {
    require_schedule(schedule, step);
    // begin: Equation 3, with both powers in double.
    const auto s = static_cast<double>(step), warmup = static_cast<double>(schedule.warmup);
    return schedule.factor / std::sqrt(static_cast<double>(schedule.d_model)) *
           std::min(1.0 / std::sqrt(s), s * std::pow(warmup, -1.5));
    // end
}

}  // namespace tfs
