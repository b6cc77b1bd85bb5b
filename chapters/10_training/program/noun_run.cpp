// chapters/10_training/program/noun_run.cpp · the training of the first model, and how its map grew
#include <algorithm>

#include "chapters/10_training/program/sections.hpp"
#include "chapters/10_training/program/training_run.hpp"

namespace tfs {

namespace {

std::vector<float> row_of(const NounFinder& model, const char* last_word) {
    std::vector<std::string> sentence = tired_cat;
    sentence.back() = last_word;
    return guess_noun(model, sentence).weights;
}

}  // namespace

NounPlan noun_plan(const OwnOptions& own, std::uint64_t seed) {
    NounPlan plan{.heads = own.heads,
                  .training = {.steps = own.steps, .batch_size = 64, .evaluate_every = 50, .seed = seed}};
    plan.training.rate = {
        .peak = own.rate, .final = own.rate / 10, .warmup = std::min<std::size_t>(50, own.steps / 2)};
    return plan;
}

NounRun run_noun_training(Show& show, NounTraining& training, const OwnOptions& own) {
    NounRun run;
    const auto note_map = [&](std::size_t step) {
        const bool early = step <= 100 && step % 20 == 0;
        if (!early && step % 100 != 0 && step != training.trainer.plan.steps) return;
        run.growth.steps.push_back(step);
        run.growth.tired.push_back(row_of(training.model, "tired"));
        run.growth.soft.push_back(row_of(training.model, "soft"));
    };
    run.curves = run_training(
        show, training.trainer,
        {.name = "nouns", .asked = "held-out sentences", .resume = own.resume, .at_step = note_map});
    if (run.growth.steps.empty())
        note_map(training.trainer.plan.steps);  // it went on from another step, and was stopped
    return run;
}

}  // namespace tfs
