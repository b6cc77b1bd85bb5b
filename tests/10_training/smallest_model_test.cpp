// tests/10_training/smallest_model_test.cpp · puzzle smallest_model: the budget, and what the model learns within it
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "chapters/10_training/given/noun_training.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t most_parameters = 3000, most_sentences = 40'000;
constexpr double enough = 0.99;

struct Trained {
    double accuracy = 0.0, loss = 0.0;
};

Trained trained(NounPlan plan, std::uint64_t seed) {
    plan.training.seed = seed;
    plan.training.evaluate_every = plan.training.steps;
    plan.training.patience = 0;
    const std::unique_ptr<NounTraining> training = make_noun_training(plan);
    try {
        train(training->trainer);
    } catch (const ValueError&) {  // a gradient that is not finite ends a training
        return {0.0, INFINITY};
    }
    return {score_of(*training).accuracy, evaluate(training->trainer.model, training->trainer.held_out).loss};
}

// Whether the same training with a rate so many times as large does it for one of these seeds.
bool would_do(NounPlan plan, double factor, const std::vector<std::uint64_t>& seeds) {
    plan.training.rate.peak *= factor;
    plan.training.rate.final *= factor;
    return std::any_of(seeds.begin(), seeds.end(),
                       [&](std::uint64_t seed) { return trained(plan, seed).accuracy >= enough; });
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
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    GTEST_SKIP()
        << "three whole trainings take a minute under the sanitizers; those of given_test.cpp are run";
#endif
#endif
    std::string said;
    std::vector<std::uint64_t> failed;
    for (const std::uint64_t seed : {11U, 12U, 13U}) {
        const Trained result = trained(plan, seed);
        said +=
            fmt::format("seed {}: {:.1f} % right, loss {:.2f}\n", seed, 100.0 * result.accuracy, result.loss);
        if (result.accuracy < enough) failed.push_back(seed);
    }
    if (failed.size() < 2) return;
    // A cause is told where it was tried: the same training with another rate does it.
    const bool higher = would_do(plan, 10.0, failed), lower = !higher && would_do(plan, 0.1, failed);
    const bool is_short = plan.training.steps * plan.training.batch_size < most_sentences / 2;
    FAIL() << said << "99 % are wanted with two of the three"
           << likely_if(higher,
                        "the learning rate is too small: a seed that fails works with ten times as much")
           << likely_if(lower, "the learning rate is too large: a seed that fails works with a tenth of it")
           << likely_if(!higher && !lower && is_short,
                        "the training is short: it uses less than half of the sentences that it may");
}

}  // namespace
}  // namespace tfs::test
