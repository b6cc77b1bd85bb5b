// chapters/10_training/program/experiments.hpp · small trainings with a part and without it: what these sections share
//
// One file for each, experiment_NAME.cpp: a small table and a figure.
#pragma once

#include "chapters/10_training/models/small_stack.hpp"
#include "common/program.hpp"

namespace tfs {

[[nodiscard]] Report table_with(const Table& table, const LineFigure& figure);

// Trains to the end, and tells each step. The losses are means over `every` steps.
[[nodiscard]] Series loss_curve(const Request& request, Trainer& trainer, const std::string& name,
                                std::size_t every);
// The curve whose last value is the middle one. An odd number of curves, all of one length.
[[nodiscard]] Series middle_curve(std::vector<Series> curves);
// Of an odd number of values. "0.12 (0.10 to 0.15)": the middle, the lowest and the highest.
[[nodiscard]] double middle(std::vector<double> values);
[[nodiscard]] Cell middle_and_range(const std::vector<double>& values, const NumberFormat& how);

// A training for each of the seeds 1, 2, … : the curve of the middle one, and what each reached on held-out rows.
struct StackRuns {
    Series curve;
    std::vector<double> losses, accuracies;  // in %
};
// The curve is called `name`, and its losses are means over `every` steps. The seed of `training` is not used.
[[nodiscard]] StackRuns stack_runs(const Request& request, const SmallStackPlan& plan, TrainingPlan training,
                                   std::size_t seeds, const std::string& name, std::size_t every);

// Batches of 32 rows to be written backwards; the rate falls along half a cosine to a tenth of its peak.
[[nodiscard]] TrainingPlan reversal_plan(std::size_t steps, double rate, std::size_t warmup,
                                         std::uint64_t seed = 1);

}  // namespace tfs
