// Step 10.6 · training_step · ●○○ · 10 min
// solutions/10_training/training_step.cpp
#include "chapters/10_training/training.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

StepReport training_step(const Model& model, const Batch& batch, AdamW& optimizer, double rate, Rng& rng,
                         const StepOptions& options) {
    // begin: What the contract says, in its order. (`clear_grads` is in common/nn/parameters.hpp.)
    clear_grads(optimizer.parameters);
    const Tensor logits = model(batch, &rng);
    const Tensor loss = cross_entropy(logits, batch.targets, options.label_smoothing);
    loss.backward();
    const double norm = clip_by_global_norm(optimizer.parameters, options.largest_gradient);
    optimizer.step(rate);
    return {loss.item(), norm};
    // end
}

}  // namespace tfs
