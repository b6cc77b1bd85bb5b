// chapters/10_training/program/experiment_gradients.cpp · the length of the gradient in each layer, step by step
//
// Run it: ./tutorial run 10 -- --experiment gradients
#include <fmt/ostream.h>

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

// Trains, and prints a line for some of the steps.
LinePanel gradients_of(Show& show, const GradientCase& chosen) {
    LinePanel panel{chosen.name, "step", "length of the gradient", false, true, {}};
    for (const std::size_t layer : layers_shown) panel.series.push_back({fmt::format("layer {}", layer)});
    const auto training = make_stack_training({.layers = depth_of_gradients, .norm = chosen.norm},
                                              reversal_plan(300, 3e-3, chosen.warmup, show.options.seed));
    (void)loss_curve(training->trainer, chosen.name, 6, [&](const StepReport& report) {
        const std::size_t step = training->trainer.step;
        const bool shown = step == 1 || step == 30 || step == 300;
        if (!shown && step % 6 != 0) return;
        const std::vector<double> all = gradient_by_layer(*training, report);
        std::string row;
        for (std::size_t i = 0; i < panel.series.size(); ++i) {
            panel.series[i].add(static_cast<double>(step), all[layers_shown[i] - 1]);
            row += fmt::format(" {:>10.1e}", all[layers_shown[i] - 1]);
        }
        if (shown) fmt::print(show.out, "  {:<18} {:>6}{}\n", chosen.name, step, row);
    });
    return panel;
}

}  // namespace

LineFigure experiment_gradients(Show& show) {
    LineFigure figure{.name = "gradients",
                      .title = "The gradient of each layer while a stack of twelve is trained",
                      .panels_per_row = 3};
    fmt::print(show.out, "  {:<18} {:>6} {:>10} {:>10} {:>10} {:>10}\n", "", "step", "layer 1", "layer 4",
               "layer 8", "layer 12");
    for (const GradientCase& chosen : gradient_cases) figure.panels.push_back(gradients_of(show, chosen));
    figure.caption =
        "The gradient of all parameters of a layer, before clipping, on one scale. With pre-norm the first "
        "layer "
        "keeps the largest one. With post-norm all begin alike; without warm-up hardly anything arrives at "
        "the "
        "first layer after 30 steps.";
    figure.same_y = true;
    return figure;
}

}  // namespace tfs
