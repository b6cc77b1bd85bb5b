// chapters/10_training/program/experiment_positions.cpp · a task in which order decides, with positions and without
//
// Run it: ./tutorial run 10 -- --experiment positions
#include <fmt/ostream.h>

#include <cmath>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

LineFigure experiment_positions(Show& show) {
    LinePanel panel{"writing a row backwards", "step", "loss", false, true, {}};
    fmt::print(show.out, "  {:<18} {:>24} {:>22}\n", "", "held-out loss", "% right");
    for (const bool positions : {true, false}) {
        const std::string name = positions ? "with positions" : "without";
        const StackRuns runs = stack_runs({.positions = positions}, reversal_plan(300, 3e-3, 50), 3, name, 6);
        panel.series.push_back(runs.curve);
        fmt::print(show.out, "  {:<18} {:>24} {:>22}\n", name, middle_and_range(runs.losses, "{:.2f}"),
                   middle_and_range(runs.accuracies, "{:.0f}"));
    }
    const double others = static_cast<double>(reversed_length) - 1.0;
    fmt::print(
        show.out,
        "  a guess among the {:.0f} other symbols of the row costs ln {:.0f} = {:.2f}, {:.0f} % right\n",
        others, others, std::log(others), 100.0 / others);
    return {.name = "positions",
            .title = "A task in which order decides, with positions and without",
            .panels = {panel},
            .caption =
                "The training with the middle of three seeds, mean over 6 steps each. Without positions the "
                "loss does not come below that of a guess among the other symbols of the row."};
}

}  // namespace tfs
