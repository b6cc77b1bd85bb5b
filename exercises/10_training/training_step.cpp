// Step 10.6 · training_step · ●○○ · 10 min
// exercises/10_training/training_step.cpp · check yours with ./tutorial check 10.6
#include "chapters/10_training/training.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

StepReport training_step(const Model& model, const Batch& batch, AdamW& optimizer, double rate, Rng& rng,
                         const StepOptions& options) {
    // TODO 10.6: What the contract says, in its order. (`clear_grads` is in common/nn/parameters.hpp.)
    throw NotImplemented("10.6 training_step");
}

}  // namespace tfs
