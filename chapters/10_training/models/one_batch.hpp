// chapters/10_training/models/one_batch.hpp · a model that learns one batch by heart, and mistakes that this finds or does not
#pragma once

#include "chapters/10_training/models/small_stack.hpp"

namespace tfs {

enum class BatchMistake {
    none,
    exchanged_answers,  // each row has the answers of the next one
    cut_gradient,       // the last layer gets its input without the tape: nothing before it learns
    softmax_twice,      // the model returns probabilities, of which cross_entropy takes the softmax again
};

// Learns one batch by heart, with a learning rate of 0.003: what each step reports, the first of the model as it is now.
// `told` is called for each.
[[nodiscard]] std::vector<StepReport> learn_one_batch(
    const Model& model, const Parameters& parameters, const Batch& batch, std::size_t steps, Rng& rng,
    const std::function<void(std::size_t step, double loss)>& told = {});

// The loss at each of these steps, all on one batch of 32 rows to be written backwards. Two layers, a learning rate of 0.003.
[[nodiscard]] std::vector<double> losses_of_one_batch(BatchMistake mistake, std::size_t steps,
                                                      std::uint64_t seed);

}  // namespace tfs
