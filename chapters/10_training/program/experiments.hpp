// chapters/10_training/program/experiments.hpp · what a part does for the training: small trainings with it and without it
//
// One file for each, experiment_NAME.cpp: it prints a small table and returns one figure.
#pragma once

#include <span>

#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/models/small_stack.hpp"
#include "common/program/chapter_program.hpp"

namespace tfs {

struct Experiment {
    const char* name;   // as --experiment takes it
    const char* title;  // of its section
    LineFigure (*run)(Show& show);
    bool slow = false;  // `--experiment all` leaves it out
};
[[nodiscard]] std::span<const Experiment> experiments();

// ValueError, which lists them, where there is no such experiment; "all" is all but the slow ones.
void require_experiment(const std::string& name);
void show_experiments(Show& show, const std::string& name);

// experiment_runs.cpp · what they share

// Trains to the end. The losses are means over `every` steps; `after_step` is called after each step.
[[nodiscard]] Series loss_curve(Trainer& trainer, const std::string& name, std::size_t every,
                                const std::function<void(const StepReport&)>& after_step = {});
// The curve whose last value is the middle one. An odd number of curves, all of one length.
[[nodiscard]] Series middle_curve(std::vector<Series> curves);
// "0.12 (0.10 to 0.15)": the middle, the lowest and the highest of an odd number of values. format: of one value, "{:.2f}"
[[nodiscard]] std::string middle_and_range(std::vector<double> values, const char* format);

// A training for each of the seeds 1, 2, … : the curve of the middle one, and what each reached on held-out rows.
struct StackRuns {
    Series curve;
    std::vector<double> losses, accuracies;  // in %
};
// The curve is called `name`, and its losses are means over `every` steps. The seed of `training` is not used.
[[nodiscard]] StackRuns stack_runs(const SmallStackPlan& plan, TrainingPlan training, std::size_t seeds,
                                   const std::string& name, std::size_t every);

// Batches of 32 rows to be written backwards; the rate falls along half a cosine to a tenth of its peak.
[[nodiscard]] TrainingPlan reversal_plan(std::size_t steps, double rate, std::size_t warmup,
                                         std::uint64_t seed = 1);
// Batches of 64 sentences, as the lesson's training.
[[nodiscard]] TrainingPlan sentence_plan(std::size_t steps, double rate, std::uint64_t seed);

// One for each file.
[[nodiscard]] LineFigure experiment_norms(Show& show);
[[nodiscard]] LineFigure experiment_scale(Show& show);
[[nodiscard]] LineFigure experiment_residuals(Show& show);
[[nodiscard]] LineFigure experiment_positions(Show& show);
[[nodiscard]] LineFigure experiment_smoothing(Show& show);
[[nodiscard]] LineFigure experiment_rates(Show& show);
[[nodiscard]] LineFigure experiment_one_batch(Show& show);
[[nodiscard]] LineFigure experiment_gradients(Show& show);
[[nodiscard]] LineFigure experiment_dropout(Show& show);

}  // namespace tfs
