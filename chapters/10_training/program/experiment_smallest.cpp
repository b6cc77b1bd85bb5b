// chapters/10_training/program/experiment_smallest.cpp · the puzzle's score: how few parameters, and how many answers are right with each seed
//
// Run it: ./tutorial run 10 --mine -- --experiment smallest
#include <fmt/format.h>

#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

constexpr std::size_t fewest_known = 602;  // width 4, one head, a rate of 0.05

Report keep_score(const Request& request) {
    const NounPlan plan = smallest_model();
    Table table{.columns = {{"seed", whole()}, {"% right", fixed(1)}, {"held-out loss", fixed(2)}}};
    for (const std::uint64_t seed : seeds_of_the_puzzle) {
        request.tell({"progress", fmt::format("a training with seed {}", seed), {}});
        const PlanScore score = score_of(plan, seed);
        table.add({seed, 100.0 * score.accuracy, score.loss});
    }
    Report report;
    report.note(fmt::format(
        "{} parameters of at most {}, {} sentences of at most {}; the fewest "
        "parameters that we know of: {}",
        noun_parameters(plan), most_parameters_of_the_puzzle, plan.training.steps * plan.training.batch_size,
        most_sentences_of_the_puzzle, fewest_known));
    report.add(table);
    return report;
}

}  // namespace

Sections experiment_smallest_sections() {
    return {{"smallest", "The puzzle's score", keep_score, {}, Level::experiment}};
}

}  // namespace tfs
