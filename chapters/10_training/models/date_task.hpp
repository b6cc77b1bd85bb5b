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

// The task "dates". Errors as of settings_of.
struct DateTask {
    WrittenDates dates;
    TextTransformer reader;
    Task task;  // of `reader`
};
[[nodiscard]] DateTask date_task(const TaskOptions& options);

}  // namespace tfs
