// chapters/10_training/program/experiment_smoothing.cpp · label smoothing: what it does to loss and probabilities
//
// Run it: ./tutorial run 10 -- --experiment smoothing
#include <fmt/ostream.h>

#include <cmath>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

// The lowest loss that a model can have with this smoothing: the entropy of the smoothed target.
double floor_of(double smoothing, double vocab) {
    const double other = smoothing / vocab, right = 1.0 - smoothing + other;
    return smoothing == 0.0 ? 0.0 : -right * std::log(right) - (vocab - 1.0) * other * std::log(other);
}

}  // namespace

LineFigure experiment_smoothing(Show& show) {
    LineFigure figure{.name = "smoothing", .title = "Label smoothing"};
    LinePanel losses{"loss of the training", "step", "loss", false, true, {}};
    LinePanel sureness{"held-out sentences", "step", "probability of the right word", false, false, {}, true};
    fmt::print(show.out, "  {:<10} {:>10} {:>14} {:>22} {:>10}\n", "smoothing", "floor", "training loss",
               "p of the right word", "% right");
    for (const double smoothing : {0.0, 0.1, 0.3}) {
        TrainingPlan plan = sentence_plan(200, 3e-3, show.options.seed);
        plan.step.label_smoothing = smoothing;
        const NounTask nouns = make_noun_task({.training = plan});
        Trainer trainer(nouns.task);
        const std::string name = fmt::format("smoothing {}", smoothing);
        Series sure{name};
        losses.series.push_back(loss_curve(trainer, name, 4, [&](const StepReport&) {
            if (trainer.step % 4 != 0) return;
            const Evaluation held_out = trainer.ask();
            sure.add(static_cast<double>(trainer.step), std::exp(-held_out.loss));
        }));
        const Evaluation held_out = trainer.ask();
        fmt::print(show.out, "  {:<10} {:>10.3f} {:>14.3f} {:>22.3f} {:>10.1f}\n", smoothing,
                   floor_of(smoothing, static_cast<double>(nouns.sentences.vocabulary.size())),
                   losses.series.back().y.back(), std::exp(-held_out.loss), 100.0 * held_out.accuracy);
        sureness.series.push_back(sure);
    }
    figure.panels = {losses, sureness};
    figure.caption =
        "Left: the smoothed loss, mean over 4 steps each; it can't fall below the entropy of the smoothed "
        "target. Right: the model becomes as sure as the smoothing allows (the geometric mean).";
    return figure;
}

}  // namespace tfs
