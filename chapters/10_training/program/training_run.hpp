// chapters/10_training/program/training_run.hpp · a training as it is seen: its progress, its curves, its checkpoints
#pragma once

#include <filesystem>

#include "chapters/10_training/program/sections.hpp"

namespace tfs {

struct RunOptions {
    bool resume = false;              // go on from the last checkpoint
    std::filesystem::path save = {};  // a file for the trained weights; empty: none
};

// The checkpoints of a task, below the folder of the figures; empty where there is none.
[[nodiscard]] std::filesystem::path checkpoints_of(const SharedOptions& options, const std::string& task);

// Shows the task, trains to the end of the plan, saves the weights, and shows what the trained model does. Prints a line for
// each evaluation, and on a terminal one line that shows every step. Ctrl-C ends the training early, and with it the run: the
// last checkpoint is where --resume goes on.
void show_training(Show& show, const ShownTraining& shown, const RunOptions& options);

}  // namespace tfs
