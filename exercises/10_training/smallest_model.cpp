// Step 10.6 · smallest_model · ●○○ · 10 min
// exercises/10_training/smallest_model.cpp · check yours with ./tutorial check 10.6
#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

NounPlan smallest_model() {
    NounPlan plan;
    // TODO 10.6: Puzzle: d_model, heads, training.steps, training.batch_size and training.rate (.peak, .final, .warmup), within the
    // budget of chapters/10_training/models/noun_training.hpp.
    throw NotImplemented("10.6 smallest_model");
    return plan;
}

}  // namespace tfs
