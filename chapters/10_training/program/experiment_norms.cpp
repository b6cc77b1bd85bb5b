// chapters/10_training/program/experiment_norms.cpp · pre- and post-norm, with and without warm-up, shallow and deep
//
// Run it: ./tutorial run 10 -- --experiment norms       (minutes)
#include <fmt/format.h>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

// A training of so many steps, with as many seeds as its time allows.
struct Length {
    std::size_t layers, steps, seeds;
};

Report compare_norms(const Request& request) {
    LineFigure figure{
        .name = "norms",
        .title = "Twelve layers of post-norm learned with warm-up and more steps",
        .caption =
            "Twelve layers, trained for 300 and for 3,000 steps; the training with the middle one of its "
            "seeds, means over a sixtieth of the steps. Without warm-up post-norm stays at ln 16, the "
            "loss of a guess among all symbols."};
    Table table{.columns = {{"layers", whole()},
                            {"steps", whole()},
                            {"norm"},
                            {"warm-up", whole()},
                            {"held-out loss", fixed(3)},
                            {"% right", whole()}}};
    for (const Length& length : {Length{2, 300, 5}, Length{12, 300, 5}, Length{12, 3000, 3}}) {
        LinePanel panel{.title = fmt::format("{} steps", length.steps),
                        .x_axis = "step",
                        .y_axis = "loss",
                        .log_y = true};
        for (const NormPosition norm : {NormPosition::pre, NormPosition::post})
            for (const std::size_t warmup : {0U, 100U}) {
                const std::string norm_name = norm == NormPosition::pre ? "pre-norm" : "post-norm";
                const std::string name = norm_name + (warmup == 0 ? "" : ", warm-up");
                const StackRuns runs = stack_runs(request, {.layers = length.layers, .norm = norm},
                                                  reversal_plan(length.steps, 3e-3, warmup), length.seeds,
                                                  name, length.steps / 60);
                panel.series.push_back(runs.curve);
                panel.series.back().hue = norm == NormPosition::pre ? Hue::pre_norm : Hue::post_norm;
                table.add({length.layers, length.steps, norm_name, warmup,
                           middle_and_range(runs.losses, fixed(3)),
                           middle_and_range(runs.accuracies, whole())});
            }
        if (length.layers == 12) figure.panels.push_back(panel);  // two layers learn in all four ways
    }
    figure.same_y = true;
    Report report;
    report.add(table);
    report.note("the middle one of five seeds (of three for 3000 steps), and the lowest and highest");
    report.add(figure);
    return report;
}

}  // namespace

Sections experiment_norms_sections() {
    return {{"norms",
             "Pre-norm and post-norm, with and without warm-up",
             compare_norms,
             {},
             Level::experiment,
             Slow::yes}};
}

}  // namespace tfs
