// chapters/10_training/program/experiment_rates.cpp · the learning rate, from too small to too large
//
// Run it: ./tutorial run 10 -- --experiment rates
#include <fmt/format.h>

#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

Report compare_rates(const Request& request) {
    LinePanel panel{"the lesson's model", "step", "loss", false, true, {}};
    Table table{.columns = {{"rate", significant(2)}, {"held-out loss", fixed(2)}, {"% right", whole()}}};
    for (const double rate : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
        Trainer trainer(make_noun_task({.training = sentence_plan(100, rate, request[options::seed])}).task);
        const Series curve = loss_curve(request, trainer, fmt::format("{}", rate), 2);
        // At 0.1 rounding decides how the training ends: such a curve is of one processor only.
        if (rate != 0.1) panel.series.push_back(curve);
        const Evaluation held_out = trainer.ask();
        table.add({rate, held_out.loss, 100.0 * held_out.accuracy});
    }
    return table_with(
        table,
        {.name = "rates",
         .title = "The learning rate, from too small to too large",
         .panels = {panel},
         .caption = "Mean over 2 steps each. Too small: the loss hardly falls. Too large: at rate 1 it jumps "
                    "about and grows to more than a thousand times what it was."});
}

}  // namespace

Section experiment_rates() {
    return experiment("rates", "The learning rate, from too small to too large", compare_rates,
                      {options::seed});
}

}  // namespace tfs
