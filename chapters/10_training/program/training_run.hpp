// chapters/10_training/program/training_run.hpp · a training as it is seen: its progress, its curves, its checkpoints
#pragma once

#include "chapters/10_training/given/trainer.hpp"
#include "common/program/chapter_program.hpp"

namespace tfs {

struct RunOptions {
    std::string name;   // of the model, and of its folder of checkpoints: "nouns"
    std::string asked;  // what is counted as right: "held-out sentences"
    bool resume = false;
    std::function<void(std::size_t step)> at_step = {};  // before the first step, and after each
};

// Trains to the end of the plan. Prints a line for each evaluation, and on a terminal one line that shows every step. Ctrl-C
// ends the training early; the last checkpoint, in checkpoints/NAME below the folder of the figures, is where --resume goes
// on. Returns the curves of loss and accuracy.
[[nodiscard]] LineFigure run_training(Show& show, Trainer& trainer, const RunOptions& options);

}  // namespace tfs
