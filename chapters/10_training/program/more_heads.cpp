// chapters/10_training/program/more_heads.cpp · the first model with one, two and four heads: what its map still says
#include <fmt/format.h>

#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/program/experiments.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

Report compare_heads(const Request& request) {
    Table table{.columns = {{"heads", whole()},
                            {"% right", fixed(1)},
                            {"mean weight on the noun", fixed(2)},
                            {"more than half on it", whole(" %")}}};
    for (const std::size_t heads : {1U, 2U, 4U}) {
        std::vector<double> accuracy, weight, above;
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            const NounTask nouns = noun_task({.steps = request[options::steps],
                                              .heads = heads,
                                              .rate = request[options::rate],
                                              .seed = seed});
            Trainer trainer(nouns.task);
            train(trainer, {.after_step = told_to(request)});
            const NounScore score = score_of(nouns.model, nouns.sentences.held_out);
            accuracy.push_back(100.0 * score.accuracy);
            weight.push_back(score.mean_weight);
            above.push_back(100.0 - 100.0 * static_cast<double>(score.overlooked.size()) /
                                        static_cast<double>(nouns.sentences.held_out.size()));
        }
        table.add({heads, middle(accuracy), middle_and_range(weight, fixed(2)),
                   middle_and_range(above, whole(" %"))});
    }
    Report report;
    report.add(table);
    report.note(
        "the middle of three seeds, and the lowest and highest; the weight is the mean over the heads");
    return report;
}

}  // namespace

Sections more_heads_sections() {
    return {{"more-heads",
             "With more heads, one map says less",
             compare_heads,
             {options::steps, options::rate},
             Level::deeper,
             Slow::yes}};
}

}  // namespace tfs
