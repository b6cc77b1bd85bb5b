// chapters/10_training/models/date_task.hpp · the encoder-decoder that reads dates, and its training
#pragma once

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/dates.hpp"
#include "chapters/10_training/models/tasks.hpp"

namespace tfs {

// As many held-out dates are asked; the same dates for every seed of a training.
constexpr std::size_t dates_asked = 2000;
constexpr std::uint64_t seed_of_dates = 7;

// The sizes of the model of the task "dates".
[[nodiscard]] ModelConfig date_reader_config();

// Step date_training · Find the faults: a new model, and what it says of a batch.
// new_date_reader: of these sizes, with random weights. Before it learns it finds nearly all characters equally likely: its loss is
// about ln(vocab), a little more since random scores are worse than equal ones.
[[nodiscard]] TextTransformer new_date_reader(const ModelConfig& config, Rng& rng);
// date_logits: the Model (training.hpp) that is trained. Its source are the written dates; its inputs <start> and the answers without
// their last character. The Rng is for dropout; null in evaluation.
//   batch.source (batch, source), batch.inputs (batch, answer) -> (batch, answer, vocab)
[[nodiscard]] Tensor date_logits(const TextTransformer& reader, const Batch& batch, Rng* rng);

// The task "dates". Errors as of settings_of.
struct DateTask {
    WrittenDates dates;
    TextTransformer reader;
    Task task;  // of `reader`
};
[[nodiscard]] DateTask date_task(const TaskOptions& options);

}  // namespace tfs
