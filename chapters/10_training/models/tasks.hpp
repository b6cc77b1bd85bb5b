// chapters/10_training/models/tasks.hpp · the five trainings of this chapter, as values of one task
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/corpus.hpp"
#include "chapters/10_training/models/dates.hpp"
#include "chapters/10_training/models/noun_training.hpp"

namespace tfs {

// What programs let one choose.
struct TaskOptions {
    std::size_t steps = 0, heads = 0;   // 0: as many as the model needs
    double rate = 0.0;                  // the highest learning rate; 0: as the model needs
    std::uint64_t seed = 1;             // of the first weights, the order of the examples, and dropout
    std::filesystem::path corpus = {};  // a text for "characters" alone; empty: the one of the repository
};

// What becomes of the options: they are of one task, and right for it.
struct TaskSettings {
    ModelConfig config;
    TrainingPlan plan = {};  // its subject names the heads where they are others than the task needs
    std::filesystem::path corpus = {};
};

// What the five tasks differ in, apart from their data.
struct TaskKind {
    const char *name, *units, *asked;  // as those of Task
    ModelConfig (*config)();           // of its model
    std::size_t steps, batch_size, evaluate_every, warmup;
    double rate, fall;  // the highest learning rate, and how many times lower the last one is
    std::int64_t padding;
    std::size_t asked_at_once;  // examples in a held-out batch
};
// nouns, sizes, it, dates, characters.
[[nodiscard]] std::span<const TaskKind> task_kinds();
// ValueError, which lists them, where there is no such task.
[[nodiscard]] const TaskKind& task_kind(const std::string& name);

// ValueError, which names option and task, for what it can't do.
[[nodiscard]] TaskSettings settings_of(const std::string& name, const TaskOptions& options);

// A new model, its data, and its training: Trainer(it_task(settings_of("it", {})).task).
using ItTask = TaskOf<ItSentences, ItReader>;
using DateTask = TaskOf<WrittenDates, TextTransformer>;
using CharacterTask = TaskOf<Corpus, TextTransformer>;
[[nodiscard]] NounTask noun_task(const TaskSettings& settings);
[[nodiscard]] SizeTask size_task(const TaskSettings& settings);
[[nodiscard]] ItTask it_task(const TaskSettings& settings);
[[nodiscard]] DateTask date_task(const TaskSettings& settings);
// FileError or ValueError where the corpus can't be learned.
[[nodiscard]] CharacterTask character_task(const TaskSettings& settings);

// Saves the weights of a trained model; its scores and how it was made stand in the file.
void save_trained(const Task& task, const std::filesystem::path& file);

}  // namespace tfs
