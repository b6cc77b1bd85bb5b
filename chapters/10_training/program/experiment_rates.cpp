// chapters/10_training/program/experiment_rates.cpp · the learning rate, from too small to too large
//
// Run it: ./tutorial run 10 -- --experiment rates
#include <fmt/ostream.h>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

LineFigure experiment_rates(Show& show) {
    LinePanel panel{"the lesson's model", "step", "loss", false, true, {}};
    fmt::print(show.out, "  {:<10} {:>16} {:>14}\n", "rate", "held-out loss", "% right");
    for (const double rate : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
        Trainer trainer(make_noun_task({.training = sentence_plan(100, rate, show.options.seed)}).task);
        // At 0.1 rounding decides how the training ends: such a curve is of one processor only.
        if (rate != 0.1) panel.series.push_back(loss_curve(trainer, fmt::format("{}", rate), 2));
        const Evaluation held_out = trainer.ask();
        fmt::print(show.out, "  {:<10} {:>16.2f} {:>14.0f}\n", rate, held_out.loss,
                   100.0 * held_out.accuracy);
    }
    return {.name = "rates",
            .title = "The learning rate, from too small to too large",
            .panels = {panel},
            .caption =
                "Mean over 2 steps each. Too small: the loss hardly falls. Too large: at rate 1 it jumps "
                "about and grows to more than a thousand times what it was."};
}

}  // namespace tfs
