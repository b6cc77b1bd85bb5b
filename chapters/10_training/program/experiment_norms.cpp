// chapters/10_training/program/experiment_norms.cpp · pre- and post-norm, with and without warm-up, shallow and deep
//
// Run it: ./tutorial run 10 -- --experiment norms       (a minute)
#include <fmt/ostream.h>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

constexpr std::size_t steps_of_norms = 300, seeds_of_norms = 5;
constexpr double rate_of_norms = 3e-3;

}  // namespace

LineFigure experiment_norms(Show& show) {
    LineFigure figure{.name = "norms",
                      .title = "Pre-norm and post-norm, with and without warm-up",
                      .caption =
                          "The training with the middle of five seeds, mean over 5 steps each. Two layers "
                          "learn the task in all four ways. Of twelve, only pre-norm learns it. Post-norm "
                          "without warm-up ends at ln 16 = 2.77: it knows nothing."};
    fmt::print(show.out, "  {:<6} {:<9} {:<7} {:>24} {:>28}\n", "layers", "norm", "warm-up", "held-out loss",
               "% right");
    for (const std::size_t layers : {2U, 12U}) {
        LinePanel panel{fmt::format("{} layers", layers), "step", "loss", false, true, {}};
        for (const NormPosition norm : {NormPosition::pre, NormPosition::post})
            for (const std::size_t warmup : {std::size_t{0}, steps_of_norms / 3}) {
                const std::string norm_name = norm == NormPosition::pre ? "pre-norm" : "post-norm";
                const StackRuns runs = stack_runs(
                    {.layers = layers, .norm = norm}, reversal_plan(steps_of_norms, rate_of_norms, warmup),
                    seeds_of_norms, norm_name + (warmup == 0 ? "" : ", warm-up"), 5);
                panel.series.push_back(runs.curve);
                fmt::print(show.out, "  {:<6} {:<9} {:<7} {:>24} {:>28}\n", layers, norm_name, warmup,
                           middle_and_range(runs.losses, "{:.3f}"),
                           middle_and_range(runs.accuracies, "{:.0f}"));
                show.out.flush();
            }
        figure.panels.push_back(panel);
    }
    show.trace.note("the middle of five seeds, and the lowest and highest");
    figure.same_y = true;
    return figure;
}

}  // namespace tfs
