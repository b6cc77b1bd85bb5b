// chapters/10_training/program/experiment_one_batch.cpp · the first thing to do with a new model: learn one batch by heart
//
// Run it: ./tutorial run 10 -- --experiment one_batch
#include <fmt/format.h>

#include <utility>

#include "chapters/10_training/models/one_batch.hpp"
#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

Report compare_mistakes(const Request& request) {
    constexpr std::size_t steps = 500;
    struct Case {
        BatchMistake mistake;
        const char *name, *finding;  // in the table, at the curve
    };
    constexpr Case cases[] = {
        {BatchMistake::none, "no mistake", "no mistake"},
        {BatchMistake::exchanged_answers, "answers of another row", "wrong data: answers of another row"},
        {BatchMistake::cut_gradient, "gradient cut before the last layer", "broken: gradient cut"},
        {BatchMistake::softmax_twice, "softmax in model and loss", "broken: softmax twice"}};
    LinePanel panel{.title = "", .x_axis = "step", .y_axis = "loss of one batch of 32 rows", .log_y = true};
    Table table{.columns = {{"loss"}, {"at step 100", fixed(2)}, {"200", fixed(3)}, {"500", fixed(4)}}};
    for (const auto& [mistake, name, finding] : cases) {
        const std::vector<double> losses = losses_of_one_batch(mistake, steps, request[options::seed]);
        table.add({name, losses[99], losses[199], losses[499]});
        const bool learns = mistake == BatchMistake::none || mistake == BatchMistake::exchanged_answers;
        Series curve{.name = finding, .hue = learns ? Hue::with : Hue::without};
        for (std::size_t step = 10; step <= steps; step += 10)
            curve.add(static_cast<double>(step), losses[step - 1]);
        panel.series.push_back(curve);
    }
    return table_with(
        table,
        {.name = "one_batch",
         .title = "Two faults keep a model from learning one batch; wrong answers don't",
         .panels = {panel},
         .caption =
             "The loss goes to nearly 0 without a mistake, and with the answers of other rows, too: the two "
             "curves are nearly one. Where the gradient is cut before the last layer, or softmax is taken in "
             "the "
             "model and in the loss, it stays far from 0."});
}

}  // namespace

Sections experiment_one_batch_sections() {
    return {{"one_batch",
             "Can the model learn one batch by heart?",
             compare_mistakes,
             {options::seed},
             Level::experiment}};
}

}  // namespace tfs
