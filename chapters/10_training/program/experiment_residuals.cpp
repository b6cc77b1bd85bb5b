// chapters/10_training/program/experiment_residuals.cpp · stacks of 2 and 6 layers, with residuals and without
//
// Run it: ./tutorial run 10 -- --experiment residuals
#include <fmt/format.h>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

Report compare_residuals(const Request& request) {
    LineFigure figure{.name = "residuals",
                      .title = "Without residual connections six layers hardly learn anything"};
    Table table{.columns = {{"layers", whole()}, {""}, {"held-out loss", fixed(2)}, {"% right", whole()}}};
    for (const std::size_t layers : {2U, 6U}) {
        LinePanel panel{
            .title = fmt::format("{} layers", layers), .x_axis = "step", .y_axis = "loss", .log_y = true};
        for (const bool residuals : {true, false}) {
            const std::string name = residuals ? "with residuals" : "without";
            const StackRuns runs = stack_runs(request, {.layers = layers, .residuals = residuals},
                                              reversal_plan(300, 3e-3, 50), 3, name, 5);
            panel.series.push_back(runs.curve);
            panel.series.back().hue = residuals ? Hue::with : Hue::without;
            table.add({layers, name, middle_and_range(runs.losses, fixed(2)),
                       middle_and_range(runs.accuracies, whole())});
        }
        figure.panels.push_back(panel);
    }
    figure.caption =
        "The training with the middle of three seeds, mean over 5 steps each. Without residuals two layers "
        "learn it with one seed of three, and six hardly learn anything in this time.";
    figure.same_y = true;
    return table_with(table, figure);
}

}  // namespace

Sections experiment_residuals_sections() {
    return {{"residuals", "Without residuals", compare_residuals, {}, Level::experiment, Slow::yes}};
}

}  // namespace tfs
