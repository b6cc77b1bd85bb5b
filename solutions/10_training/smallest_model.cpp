// Step 10.6 · smallest_model · ●○○ · 10 min
// solutions/10_training/smallest_model.cpp
#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

NounPlan smallest_model() {
    NounPlan plan;
    // begin: Puzzle: d_model, heads, training.steps, training.batch_size and training.rate (.peak, .final, .warmup), within the
    // budget of chapters/10_training/models/noun_training.hpp.
    plan.d_model = 12;  // 2,074 parameters
    plan.training.steps = 1250;
    plan.training.batch_size = 32;  // 40,000 sentences
    plan.training.rate = {.peak = 0.02, .final = 0.0, .warmup = 100};
    // end
    return plan;
}

}  // namespace tfs
