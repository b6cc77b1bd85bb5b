// chapters/10_training/models/it_task.hpp · the encoder that says who "it" is, and its training
#pragma once

#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/10_training/models/it_sentences.hpp"
#include "chapters/10_training/models/tasks.hpp"

namespace tfs {

// The task "it". Errors as of settings_of.
struct ItTask {
    ItSentences sentences;
    ItReader model;
    Task task;  // of `model`
};
[[nodiscard]] ItTask it_task(const TaskOptions& options);

}  // namespace tfs
