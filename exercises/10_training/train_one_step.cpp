// Step 10.4 · train_one_step · ●●○ · 20 min
// exercises/10_training/train_one_step.cpp · check yours with ./tutorial check 10.4
#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

double clip_by_global_norm(Parameters parameters, double largest) {
    // TODO 10.4: One length for all gradients together, in double. Check it (`require_norm(parameters, largest, norm)`), and where
    // it is too long, shorten all gradients by the same factor. (`sum_of_squares(gradient)` and `scale_by(gradient, factor)`
    // are in common/nn/parameters.hpp.)
    throw NotImplemented("10.4 train_one_step");
}

double learning_rate(const WarmupCosine& schedule, std::size_t step) {
    require_schedule(schedule, step);
    // TODO 10.4: A straight line to the peak at step `warmup`, then half a cosine to `final` at step `total`. Mind that
    // sizes are unsigned and that their quotient is a whole number.
    throw NotImplemented("10.4 train_one_step");
}

StepReport training_step(const Model& model, const Batch& batch, AdamW& optimizer, double rate, Rng& rng,
                         const StepOptions& options) {
    // TODO 10.4: What the contract says, in its order. (`clear_grads` is in common/nn/parameters.hpp.)
    throw NotImplemented("10.4 train_one_step");
}

}  // namespace tfs
