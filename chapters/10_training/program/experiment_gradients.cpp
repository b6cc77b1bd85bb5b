// chapters/10_training/program/experiment_gradients.cpp · the length of the gradient in each layer, step by step
//
// Run it: ./tutorial run 10 -- --experiment gradients
#include <fmt/ostream.h>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

constexpr std::size_t depth_of_gradients = 12;
constexpr std::size_t layers_shown[] = {1, 4, 8, 12};

}  // namespace

LineFigure experiment_gradients(Show& show) {
    LineFigure figure{.name = "gradients",
                      .title = "The gradient of each layer while a stack of twelve is trained"};
    fmt::print(show.out, "  {:<10} {:>6} {:>10} {:>10} {:>10} {:>10}\n", "", "step", "layer 1", "layer 4",
               "layer 8", "layer 12");
    for (const NormPosition norm : {NormPosition::pre, NormPosition::post}) {
        const std::string name = norm == NormPosition::pre ? "pre-norm" : "post-norm";
        LinePanel panel{name + ", no warm-up", "step", "length of the gradient", false, true, {}};
        for (const std::size_t layer : layers_shown) panel.series.push_back({fmt::format("layer {}", layer)});
        const auto training = make_stack_training({.layers = depth_of_gradients, .norm = norm},
                                                  reversal_plan(300, 3e-3, 0, show.options.seed));
        (void)loss_curve(training->trainer, name, 5, [&](const StepReport& report) {
            const std::size_t step = training->trainer.step;
            const bool shown = step == 1 || step == 30 || step == 100 || step == 300;
            if (!shown && step % 5 != 0) return;
            const std::vector<double> all = gradient_by_layer(*training, report);
            std::string row;
            for (std::size_t i = 0; i < panel.series.size(); ++i) {
                panel.series[i].add(static_cast<double>(step), all[layers_shown[i] - 1]);
                row += fmt::format(" {:>10.1e}", all[layers_shown[i] - 1]);
            }
            if (shown) fmt::print(show.out, "  {:<10} {:>6}{}\n", name, step, row);
        });
        figure.panels.push_back(panel);
    }
    figure.caption =
        "The gradient of all parameters of a layer, before clipping. With pre-norm the first layer keeps the "
        "largest one. With post-norm all begin alike; within 30 steps hardly anything arrives at the first "
        "layer.";
    return figure;
}

}  // namespace tfs
