// chapters/10_training/models/small_stack.hpp · a small encoder whose parts can be taken away, and a task for it
//
// For the experiments of deeper.md: what does a part do for the training?
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/10_training/models/trainer.hpp"

namespace tfs {

// The task: a row of different symbols, to be written backwards. The target of position i is the symbol at position
// reversed_length - 1 - i.
inline constexpr std::size_t reversed_length = 8, reversed_symbols = 16;
[[nodiscard]] std::vector<Example> reversed_rows(std::size_t count, Rng& rng);

struct SmallStackPlan {
    std::size_t layers = 2, d_model = 32, heads = 2;
    NormPosition norm = NormPosition::pre;
    bool residuals = true;  // false: each sublayer's output stands in place of its input
};

struct SmallStack {
    SmallStackPlan plan;
    Embedding embedding;  // (reversed_symbols, d_model)
    SinusoidalPositionalEncoding positions;
    Stack encoder;
    Linear output;  // d_model -> reversed_symbols

    SmallStack(const SmallStackPlan& chosen, Rng& rng);

    [[nodiscard]] Tensor logits(const Ids& ids) const;  // (batch, seq) -> (batch, seq, reversed_symbols)
    [[nodiscard]] Parameters parameters() const;        // embedding.weight, encoder.blocks.0.…, output.bias
};

// Trains a new stack on new rows in every batch (no row comes twice but by chance), and is asked about 500 others. The seed
// of `training` draws weights and rows.
struct StackTraining {
    SmallStack model;
    Trainer trainer;  // of `model`
};
[[nodiscard]] std::unique_ptr<StackTraining> make_stack_training(const SmallStackPlan& plan,
                                                                 const TrainingPlan& training);

}  // namespace tfs
