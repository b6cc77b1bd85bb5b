// chapters/10_training/program/experiment_positions.cpp · a task in which order decides, with positions and without
//
// Run it: ./tutorial run 10 -- --experiment positions
#include <fmt/format.h>

#include <cmath>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

Report compare_positions(const Request& request) {
    const double others = static_cast<double>(reversed_length) - 1.0;
    LinePanel panel{.title = "",
                    .x_axis = "step",
                    .y_axis = "loss",
                    .log_y = true,
                    .limits = {{.from = std::log(others),
                                .name = fmt::format("guess of {:.0f} symbols: ln {:.0f}", others, others)}}};
    Table table{.columns = {{""}, {"held-out loss", fixed(2)}, {"% right", whole()}}};
    for (const bool positions : {true, false}) {
        const std::string name = positions ? "with positions" : "without";
        const StackRuns runs =
            stack_runs(request, {.positions = positions}, reversal_plan(300, 3e-3, 50), 3, name, 6);
        panel.series.push_back(runs.curve);
        if (!positions) panel.series.back().name = "without positions";
        panel.series.back().hue = positions ? Hue::with : Hue::without;
        table.add(
            {name, middle_and_range(runs.losses, fixed(2)), middle_and_range(runs.accuracies, whole())});
    }
    Report report;
    report.add(table);
    report.note(fmt::format(
        "a guess among the {:.0f} other symbols of the row costs ln {:.0f} = {:.2f}, {:.0f} % right", others,
        others, std::log(others), 100.0 / others));
    report.add(LineFigure{
        .name = "positions",
        .title = "Without positions the model can only guess which symbol stands where",
        .panels = {panel},
        .caption = "A row of eight symbols is to be written backwards: at each place one of the seven other "
                   "symbols is right. The training with the middle of three seeds, mean over 6 steps each."});
    return report;
}

}  // namespace

Sections experiment_positions_sections() {
    return {{"positions", "Without positions", compare_positions, {}, Level::experiment}};
}

}  // namespace tfs
