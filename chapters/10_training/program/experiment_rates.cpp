// chapters/10_training/program/experiment_rates.cpp · the learning rate, from too small to too large
//
// Run it: ./tutorial run 10 -- --experiment rates
#include <utility>

#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

Report compare_rates(const Request& request) {
    LinePanel panel{.title = "", .x_axis = "step", .y_axis = "loss", .log_y = true};
    Table table{.columns = {{"rate", significant(2)}, {"held-out loss", fixed(2)}, {"% right", whole()}}};
    constexpr std::pair<double, const char*> rates[] = {{1e-5, "rate 0.00001"}, {1e-4, "rate 0.0001"},
                                                        {1e-3, "rate 0.001"},   {1e-2, "rate 0.01"},
                                                        {1e-1, "rate 0.1"},     {1.0, "rate 1"}};
    for (const auto& [rate, name] : rates) {
        Trainer trainer(make_noun_task({.training = sentence_plan(100, rate, request[options::seed])}).task);
        Series curve = loss_curve(request, trainer, name, 2);
        curve.hue = Hue::ordered;
        // At 0.1 rounding decides how the training ends: such a curve is of one processor only. That of 0.0001 lies near the lowest.
        if (rate != 0.1 && rate != 0.0001) panel.series.push_back(curve);
        const Evaluation held_out = trainer.ask();
        table.add({rate, held_out.loss, 100.0 * held_out.accuracy});
    }
    return table_with(
        table,
        {.name = "rates",
         .title = "Too low a rate learns nothing, too high a rate ruins the model",
         .panels = {panel},
         .caption =
             "The lesson's model, mean over 2 steps each. At the lowest rate the loss hardly falls. At "
             "rate 1 it grows to more than a thousand times what it was."});
}

}  // namespace

Sections experiment_rates_sections() {
    return {{"rates",
             "The learning rate, from too small to too large",
             compare_rates,
             {options::seed},
             Level::experiment}};
}

}  // namespace tfs
