// chapters/10_training/program/options.hpp · what several sections of chapter 10 share: options, and a task as it is shown
#pragma once

#include <functional>

#include "chapters/10_training/models/tasks.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

[[nodiscard]] TextOption trained_model();

inline const TextOption train = trained_model();
inline const CountOption steps{"--steps", 0, 0, 1'000'000,
                               "steps of training; 0: as many as the model needs"};
inline const RealOption rate{"--rate", 0.0, 0.0, 1000.0, "the highest learning rate; 0: as the model needs"};
inline const CountOption heads{
    "--heads", 0, 0, 4096,
    "heads of attention, must divide the width of the model; 0: as many as the model needs"};
inline const TextOption corpus = file("--corpus", "text file (UTF-8) for --train characters");
inline const FlagOption resume{"--resume", "go on from the last checkpoint of the same training"};
inline const TextOption save = file("--save", "file for the trained weights (safetensors, 16 bits)");

}  // namespace options

// Of --train, --steps, --rate, --heads, --corpus, --seed. ValueError as settings_of.
[[nodiscard]] TaskSettings task_settings(const Request& request);

// The checkpoints of a task, below the folder of the figures; empty where there is none.
[[nodiscard]] std::filesystem::path checkpoints_of(const Request& request, const std::string& task);

// A task and what is shown of it, before, during and after its training. Its functions are of the model as it is when they are called.
struct ShownTask {
    Task task;
    std::function<Report()> introduce;                     // what is asked, and of which model
    std::function<Report(std::size_t step)> at_step = {};  // before the first step, and after each
    std::function<Report()> finish;                        // what the trained model does
};

// nouns.cpp, it_and_dates.cpp, characters.cpp
[[nodiscard]] ShownTask shown_nouns(const Request& request);
[[nodiscard]] ShownTask shown_sizes(const Request& request);
[[nodiscard]] ShownTask shown_it(const Request& request);
[[nodiscard]] ShownTask shown_dates(const Request& request);
[[nodiscard]] ShownTask shown_characters(const Request& request);

}  // namespace tfs
