// chapters/10_training/program/experiment_norms.cpp · pre- and post-norm, with and without warm-up, shallow and deep
//
// Run it: ./tutorial run 10 -- --experiment norms       (a minute)
#include <fmt/format.h>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

Report compare_norms(const Request& request) {
    LineFigure figure{
        .name = "norms",
        .title = "Twelve layers learn with pre-norm; with post-norm they hardly do",
        .caption =
            "Twelve layers; the training with the middle of five seeds, mean over 5 steps each. Post-norm "
            "without warm-up ends at ln 16, the loss of a guess among all symbols: it knows nothing."};
    Table table{.columns = {{"layers", whole()},
                            {"norm"},
                            {"warm-up", whole()},
                            {"held-out loss", fixed(3)},
                            {"% right", whole()}}};
    for (const std::size_t layers : {2U, 12U}) {
        LinePanel panel{.title = "", .x_axis = "step", .y_axis = "loss", .log_y = true};
        for (const NormPosition norm : {NormPosition::pre, NormPosition::post})
            for (const std::size_t warmup : {0U, 100U}) {
                const std::string norm_name = norm == NormPosition::pre ? "pre-norm" : "post-norm";
                const std::string name = norm_name + (warmup == 0 ? "" : ", warm-up");
                const StackRuns runs = stack_runs(request, {.layers = layers, .norm = norm},
                                                  reversal_plan(300, 3e-3, warmup), 5, name, 5);
                panel.series.push_back(runs.curve);
                panel.series.back().hue = norm == NormPosition::pre ? Hue::pre_norm : Hue::post_norm;
                table.add({layers, norm_name, warmup, middle_and_range(runs.losses, fixed(3)),
                           middle_and_range(runs.accuracies, whole())});
            }
        if (layers == 12) figure.panels = {panel};  // two layers learn in all four ways, as the table says
    }
    Report report;
    report.add(table);
    report.note("the middle of five seeds, and the lowest and highest");
    report.add(figure);
    return report;
}

}  // namespace

Section experiment_norms() {
    return experiment("norms", "Pre-norm and post-norm, with and without warm-up", compare_norms, {},
                      Slow::yes);
}

}  // namespace tfs
