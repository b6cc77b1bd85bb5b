// chapters/10_training/program/experiment_gradients.cpp · the length of the gradient in each layer, step by step
//
// Run it: ./tutorial run 10 -- --experiment gradients
#include <fmt/format.h>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

constexpr std::size_t depth_of_gradients = 12;
constexpr std::size_t layers_shown[] = {1, 4, 8, 12};

struct GradientCase {
    NormPosition norm;
    std::size_t warmup;
    const char* name;
};
constexpr GradientCase gradient_cases[] = {{NormPosition::pre, 0, "pre-norm"},
                                           {NormPosition::post, 0, "post-norm"},
                                           {NormPosition::post, 100, "post-norm, warm-up"}};

struct Gradients {
    LinePanel curves;
    std::vector<std::vector<Cell>> rows = {};  // of the table, for some of the steps
};

Gradients gradients_of(const Request& request, const GradientCase& chosen) {
    Gradients found{
        .curves = {
            .title = chosen.name, .x_axis = "step", .y_axis = "length of the gradient", .log_y = true}};
    std::vector<Series>& curves = found.curves.series;
    for (const std::size_t layer : layers_shown)
        curves.push_back({.name = fmt::format("layer {}", layer), .hue = Hue::ordered});
    const auto training =
        make_stack_training({.layers = depth_of_gradients, .norm = chosen.norm},
                            reversal_plan(300, 3e-3, chosen.warmup, request[options::seed]));
    (void)loss_curve(request, training->trainer, chosen.name, 6, [&](const StepReport& report) {
        const std::size_t step = training->trainer.step;
        const bool shown = step == 1 || step == 30 || step == 300;
        if (!shown && step % 6 != 0) return;
        const std::vector<double> all = gradient_by_layer(*training, report);
        std::vector<Cell> row{chosen.name, step};
        for (std::size_t i = 0; i < curves.size(); ++i) {
            curves[i].add(static_cast<double>(step), all[layers_shown[i] - 1]);
            row.emplace_back(all[layers_shown[i] - 1]);
        }
        if (shown) found.rows.push_back(row);
    });
    return found;
}

Report compare_gradients(const Request& request) {
    LineFigure figure{.name = "gradients",
                      .title = "Post-norm without warm-up: soon hardly any gradient reaches layer 1"};
    Table table{.columns = {{""}, {"step", whole()}}};
    for (const std::size_t layer : layers_shown)
        table.columns.push_back({fmt::format("layer {}", layer), scientific(1)});
    for (const GradientCase& chosen : gradient_cases) {
        const Gradients found = gradients_of(request, chosen);
        if (chosen.warmup == 0) figure.panels.push_back(found.curves);
        for (const std::vector<Cell>& row : found.rows) table.add(row);
    }
    figure.caption =
        "The gradient of all parameters of a layer, before clipping, while twelve layers are trained without "
        "warm-up. Both panels have one scale.";
    figure.same_y = true;
    return table_with(table, figure);
}

}  // namespace

Sections experiment_gradients_sections() {
    return {{"gradients",
             "The gradient by layer",
             compare_gradients,
             {options::seed},
             Level::experiment,
             Slow::yes}};
}

}  // namespace tfs
