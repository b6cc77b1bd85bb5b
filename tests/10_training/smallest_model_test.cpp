// tests/10_training/smallest_model_test.cpp · puzzle smallest_model: the budget, and what the model learns within it
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "chapters/10_training/models/noun_training.hpp"
#include "common/base/address_sanitizer.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t most_parameters = most_parameters_of_the_puzzle,
                      most_sentences = most_sentences_of_the_puzzle;
constexpr double enough = 0.99;

// Whether this training does it with two of the three seeds.
bool would_do(const NounPlan& plan) {
    return std::count_if(seeds_of_the_puzzle.begin(), seeds_of_the_puzzle.end(),
                         [&](std::uint64_t seed) { return score_of(plan, seed).accuracy >= enough; }) >= 2;
}

NounPlan with_rate(NounPlan plan, double factor) {
    plan.training.rate.peak *= factor;
    plan.training.rate.final *= factor;
    return plan;
}

// With the largest width that the budget and the heads allow.
NounPlan widest(NounPlan plan) {
    for (NounPlan wider = plan; noun_parameters(wider) <= most_parameters; wider.d_model += wider.heads)
        plan = wider;
    return plan;
}

bool fits(const NounPlan& plan) {
    return noun_parameters(plan) <= most_parameters &&
           plan.training.steps * plan.training.batch_size <= most_sentences;
}

TEST(smallest_model, has_at_most_3000_parameters) {
    const std::size_t parameters = noun_parameters(smallest_model());
    EXPECT_LE(parameters, most_parameters)
        << "the model has " << parameters << " parameters"
        << likely_if(parameters > most_parameters,
                     "d_model is too large: every part of the model grows with it");
}

TEST(smallest_model, learns_from_at_most_40000_sentences) {
    const TrainingPlan plan = smallest_model().training;
    EXPECT_LE(plan.steps * plan.batch_size, most_sentences)
        << plan.steps << " steps of " << plan.batch_size << " sentences"
        << likely_if(plan.steps * plan.batch_size > most_sentences, "steps * batch_size is above 40,000");
}

TEST(smallest_model, answers_held_out_sentences_with_two_of_three_seeds) {
    const NounPlan plan = smallest_model();
    if (!fits(plan)) GTEST_SKIP() << "the budget comes first";
    if (has_address_sanitizer)
        GTEST_SKIP()
            << "three whole trainings take a minute under the sanitizers; those of trainer_test.cpp are run";
    std::string said;
    std::size_t passed = 0;
    for (const std::uint64_t seed : seeds_of_the_puzzle) {
        const PlanScore result = score_of(plan, seed);
        said +=
            fmt::format("seed {}: {:.1f} % right, loss {:.2f}\n", seed, 100.0 * result.accuracy, result.loss);
        passed += result.accuracy >= enough;
    }
    if (passed >= 2) return;
    // A cause is told where it was tried: the same plan with this one change passes.
    const NounPlan wide = widest(plan);
    const bool narrow = wide.d_model > plan.d_model && would_do(wide);
    const bool higher = would_do(with_rate(plan, 10.0)), lower = !higher && would_do(with_rate(plan, 0.1));
    const bool is_short = plan.training.steps * plan.training.batch_size < most_sentences / 2;
    FAIL() << said << "99 % are wanted with two of the three"
           << likely_if(narrow, fmt::format("d_model is too small for this training: with {} it passes",
                                            wide.d_model))
           << likely_if(higher, "the learning rate is too small: with ten times as much the training passes")
           << likely_if(lower, "the learning rate is too large: with a tenth of it the training passes")
           << likely_if(!narrow && !higher && !lower && is_short,
                        "the training is short: it uses less than half of the sentences that it may");
}

}  // namespace
}  // namespace tfs::test
