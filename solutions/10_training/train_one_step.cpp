// Step 10.4 · train_one_step · ●●○ · 20 min
// solutions/10_training/train_one_step.cpp
#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

double clip_by_global_norm(Parameters parameters, double largest) {
    // begin: One length for all gradients together, in double. Check it (`require_norm(parameters, largest, norm)`), and where
    // it is too long, shorten all gradients by the same factor. (`sum_of_squares(gradient)` and `scale_by(gradient, factor)`
    // are in common/nn/parameters.hpp.)
    double squares = 0.0;
    for (const NamedTensor& parameter : parameters)
        if (parameter.tensor.has_grad()) squares += sum_of_squares(parameter.tensor.grad());
    const double norm = std::sqrt(squares);
    require_norm(parameters, largest, norm);
    if (norm > largest) {
        for (NamedTensor& parameter : parameters)
            if (parameter.tensor.has_grad())
                scale_by(parameter.tensor.mutable_grad(), static_cast<float>(largest / norm));
    }
    return norm;
    // end
}

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
