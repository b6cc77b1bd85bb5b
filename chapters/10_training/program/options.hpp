// chapters/10_training/program/options.hpp · what several sections of chapter 10 share: options, and how a training tells of itself
#pragma once

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

// Reads --steps, --rate, --heads, --corpus, --seed.
[[nodiscard]] TaskOptions task_options(const Request& request);

// The checkpoints of a task, below the folder of the figures; empty where there is none.
[[nodiscard]] std::filesystem::path checkpoints_of(const Request& request, const std::string& task);

// Tells each step of a training, for Hooks::after_step.
[[nodiscard]] std::function<void(const Progress&)> told_to(const Request& request);

}  // namespace tfs
