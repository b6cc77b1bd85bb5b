// chapters/10_training/program/experiment_smoothing.cpp · label smoothing: what it does to loss and probabilities
//
// Run it: ./tutorial run 10 -- --experiment smoothing
#include <fmt/format.h>

#include <cmath>

#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

// The lowest loss that a model can have with this smoothing: the entropy of the smoothed target.
double floor_of(double smoothing, double vocab) {
    const double other = smoothing / vocab, right = 1.0 - smoothing + other;
    return smoothing == 0.0 ? 0.0 : -right * std::log(right) - (vocab - 1.0) * other * std::log(other);
}

Report compare_smoothings(const Request& request) {
    LinePanel sureness{
        .title = "", .x_axis = "step", .y_axis = "probability of the right word", .from_zero = true};
    Table table{.columns = {{"smoothing", significant(2)},
                            {"floor", fixed(3)},
                            {"training loss", fixed(3)},
                            {"p of the right word", fixed(3)},
                            {"% right", fixed(1)}}};
    for (const double smoothing : {0.0, 0.1, 0.3}) {
        TrainingPlan plan = sentence_plan(200, 3e-3, request[options::seed]);
        plan.step.label_smoothing = smoothing;
        const NounTask nouns = make_noun_task({.training = plan});
        Trainer trainer(nouns.task);
        const std::string name = fmt::format("smoothing {}", smoothing);
        Series sure{.name = name, .hue = Hue::ordered};
        const Series losses = loss_curve(request, trainer, name, 4, [&](const StepReport&) {
            if (trainer.step % 4 != 0) return;
            const Evaluation held_out = trainer.ask();
            sure.add(static_cast<double>(trainer.step), std::exp(-held_out.loss));
        });
        const Evaluation held_out = trainer.ask();
        table.add({smoothing, floor_of(smoothing, static_cast<double>(nouns.sentences.vocabulary.size())),
                   losses.y.back(), std::exp(-held_out.loss), 100.0 * held_out.accuracy});
        sureness.series.push_back(sure);
    }
    return table_with(
        table,
        {.name = "smoothing",
         .title = "With label smoothing the model becomes only as sure as the target is",
         .panels = {sureness},
         .caption = "What the model gives to the right word of held-out sentences (the geometric mean)."});
}

}  // namespace

Sections experiment_smoothing_sections() {
    return {{"smoothing", "Label smoothing", compare_smoothings, {options::seed}, Level::experiment}};
}

}  // namespace tfs
