// chapters/10_training/program/experiment_scale.cpp · attention with 1/sqrt(d_k) and without, narrow and wide
//
// Run it: ./tutorial run 10 -- --experiment scale
#include <fmt/format.h>

#include "chapters/10_training/models/unscaled.hpp"
#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

struct ScaleRuns {
    std::vector<double> entropies, gradients, accuracies;
    std::vector<Series> curves;
};

ScaleRuns scale_runs(const Request& request, std::size_t width, bool scaled, const std::string& name) {
    ScaleRuns runs;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        NounTask nouns = make_noun_task({.d_model = width, .training = sentence_plan(200, 3e-3, seed)});
        if (!scaled)
            nouns.task.model = [model = nouns.model](const Batch& batch, Rng*) {
                return logits_without_scale(model, batch.inputs);
            };
        const FirstAttention first = first_attention(nouns.model, nouns.task.held_out[0], scaled);
        Trainer trainer(nouns.task);
        runs.entropies.push_back(first.entropy);
        runs.gradients.push_back(first.gradient);
        runs.curves.push_back(loss_curve(request, trainer, name, 4));
        const Evaluation held_out = trainer.ask();
        runs.accuracies.push_back(100.0 * held_out.accuracy);
    }
    return runs;
}

Report compare_scales(const Request& request) {
    LineFigure figure{.name = "scale",
                      .title = "Without the division by √d_k the loss ends higher; more so at d_k = 64"};
    Table table{.columns = {{"d_k", whole()},
                            {"1/sqrt(d_k)"},
                            {"entropy at first", fixed(2)},
                            {"gradient at first", fixed(3)},
                            {"% right", whole()}}};
    for (const std::size_t width : {16U, 64U}) {
        LinePanel panel{
            .title = fmt::format("d_k = {}", width), .x_axis = "step", .y_axis = "loss", .from_zero = true};
        for (const bool scaled : {true, false}) {
            const ScaleRuns runs =
                scale_runs(request, width, scaled, scaled ? "with the division" : "without");
            panel.series.push_back(middle_curve(runs.curves));
            panel.series.back().hue = scaled ? Hue::with : Hue::without;
            table.add({width, scaled ? "with" : "without", middle_and_range(runs.entropies, fixed(2)),
                       middle_and_range(runs.gradients, fixed(3)),
                       middle_and_range(runs.accuracies, whole())});
        }
        figure.panels.push_back(panel);
    }
    figure.caption =
        "The training with the middle of three seeds, mean over 4 steps each. Without the division both "
        "widths learn less in the same 200 steps; for the wide one the difference is larger.";
    figure.same_y = true;
    return table_with(table, figure);
}

}  // namespace

Sections experiment_scale_sections() {
    return {{"scale", "Without 1/sqrt(d_k)", compare_scales, {}, Level::experiment}};
}

}  // namespace tfs
