// chapters/10_training/models/small_stack.hpp · a small encoder whose parts can be taken away, and a task for it
//
// For the experiments of deeper.md: what does a part do for the training?
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/10_training/models/trainer.hpp"

namespace tfs {

struct SmallStackPlan {
    std::size_t layers = 2, d_model = 32, heads = 2;
    NormPosition norm = NormPosition::pre;
    bool residuals = true;  // false: each sublayer's output stands in place of its input
};

// Trains a new stack to write a row of eight different symbols, of 16, backwards: the target of position i is the symbol at
// position 7 - i. The rows are new in every batch (none comes twice but by chance); it is asked about 500 others. The seed of
// `training` draws weights and rows.
[[nodiscard]] Trainer small_stack_trainer(const SmallStackPlan& plan, const TrainingPlan& training);

}  // namespace tfs
