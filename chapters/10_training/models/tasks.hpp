// chapters/10_training/models/tasks.hpp · the four tasks of this chapter by their names, and what options change in them
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "chapters/10_training/models/trainer.hpp"
#include "common/io/trained_model.hpp"

namespace tfs {

// What programs let one choose.
struct TaskOptions {
    std::size_t steps = 0, heads = 0;   // 0: as many as the model needs
    double rate = 0.0;                  // the highest learning rate; 0: as the model needs
    std::uint64_t seed = 1;             // of the first weights, the order of the examples, and dropout
    std::filesystem::path corpus = {};  // a text for "characters" alone; empty: the one of the repository
};

// What a task needs where its options don't say it.
struct TaskNeeds {
    const char* name;
    ModelConfig (*config)();  // of its model
    std::size_t steps, batch_size, evaluate_every, warmup;
    double rate, fall;  // the highest learning rate, and how many times lower the last one is
};
// nouns, it, dates, characters.
[[nodiscard]] std::span<const TaskNeeds> tasks();
// ValueError, which lists them, where there is no such task.
[[nodiscard]] const TaskNeeds& needs_of(const std::string& name);

// What a task becomes with these options.
struct TaskSettings {
    std::size_t heads;
    TrainingPlan plan = {};  // its subject names the heads where they are others than the task needs
};
// ValueError, which names option and task, for what it can't do.
[[nodiscard]] TaskSettings settings_of(const std::string& name, const TaskOptions& options);

// The task with a new model: Trainer(make_task("it")) trains it. Errors as of settings_of; of a corpus also FileError.
[[nodiscard]] Task make_task(const std::string& name, const TaskOptions& options = {});

// Saves the weights of a trained model; its scores and how it was made stand in the file.
void save_trained(const Task& task, const std::filesystem::path& file);

}  // namespace tfs
