// tests/10_training/experiments_test.cpp · what the experiments of deeper.md claim, measured again in small
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chapters/10_training/models/one_batch.hpp"
#include "chapters/10_training/models/small_stack.hpp"
#include "chapters/10_training/models/unscaled.hpp"
#include "common/base/address_sanitizer.hpp"

namespace tfs::test {
namespace {

double largest_difference(const Tensor& a, const Tensor& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, static_cast<double>(std::abs(a.values()[i] - b.values()[i])));
    return largest;
}

TrainingPlan short_plan(std::size_t steps) {
    TrainingPlan plan{.steps = steps, .batch_size = 32, .evaluate_every = steps};
    plan.rate = {.peak = 3e-3, .final = 3e-4, .warmup = std::min<std::size_t>(20, steps / 2)};
    return plan;
}

Evaluation trained(const SmallStackPlan& stack, std::size_t steps) {
    const auto training = make_stack_training(stack, short_plan(steps));
    train(training->trainer);
    return evaluate(training->trainer.model, training->trainer.held_out);
}

TEST(one_batch, is_learned_by_heart_with_right_answers_and_with_exchanged_ones) {
    if (has_address_sanitizer) GTEST_SKIP();
    for (const BatchMistake mistake : {BatchMistake::none, BatchMistake::exchanged_answers}) {
        const std::vector<double> losses = losses_of_one_batch(mistake, 150, 1);
        EXPECT_GT(losses.front(), 2.0);
        EXPECT_LT(losses.back(), 0.02);
    }
}

TEST(one_batch, is_not_learned_where_the_gradient_is_cut_or_softmax_taken_twice) {
    if (has_address_sanitizer) GTEST_SKIP();
    EXPECT_GT(losses_of_one_batch(BatchMistake::cut_gradient, 150, 1).back(), 1.5);
    const std::vector<double> twice = losses_of_one_batch(BatchMistake::softmax_twice, 150, 1);
    EXPECT_GE(*std::min_element(twice.begin(), twice.end()), std::log(std::exp(1.0) + 15.0) - 1.0);
}

TEST(small_stack, without_positions_guesses_among_the_other_symbols) {
    if (has_address_sanitizer) GTEST_SKIP();
    const Evaluation with = trained({}, 260), without = trained({.positions = false}, 260);
    EXPECT_GT(with.accuracy, 0.6);
    EXPECT_LT(without.accuracy, 0.2);
    EXPECT_GT(without.loss, std::log(7.0));
}

TEST(small_stack, has_a_gradient_in_every_layer_before_clipping) {
    const auto training = make_stack_training({.layers = 3}, short_plan(4));
    const StepReport report = training->trainer.take_step(training->trainer.next_batch());
    const std::vector<double> layers = gradient_by_layer(*training, report);
    ASSERT_EQ(layers.size(), 3U);
    const double squares = std::inner_product(layers.begin(), layers.end(), layers.begin(), 0.0);
    EXPECT_GT(report.gradient_norm, 1.0) << "it was clipped";
    EXPECT_LT(std::sqrt(squares), report.gradient_norm) << "embedding and output have a gradient, too";
    EXPECT_GT(std::sqrt(squares), 0.3 * report.gradient_norm);
}

// Twelve layers with post-norm and no warm-up: after a few steps hardly anything arrives at the first one.
TEST(small_stack, deep_with_post_norm_and_no_warmup_loses_its_gradient) {
    if (has_address_sanitizer) GTEST_SKIP();
    const auto ratio_after = [](NormPosition norm) {
        TrainingPlan plan = short_plan(30);
        plan.rate.warmup = 0;
        const auto training = make_stack_training({.layers = 12, .norm = norm}, plan);
        StepReport report;
        while (!training->trainer.is_done())
            report = training->trainer.take_step(training->trainer.next_batch());
        const std::vector<double> layers = gradient_by_layer(*training, report);
        return layers.front() / layers.back();
    };
    EXPECT_GT(ratio_after(NormPosition::pre), 0.5);
    EXPECT_LT(ratio_after(NormPosition::post), 0.02);
}

TEST(unscaled_attention, is_sharper_and_has_a_smaller_gradient_before_the_first_step) {
    const NounTask nouns = make_noun_task({.d_model = 64, .training = short_plan(2)});
    const Batch& batch = nouns.task.held_out[0];
    const FirstAttention with = first_attention(nouns.model, batch, true),
                         without = first_attention(nouns.model, batch, false);
    EXPECT_GT(with.entropy, 1.8);
    EXPECT_LT(without.entropy, 0.7);
    EXPECT_LT(without.gradient, with.gradient);
}

TEST(unscaled_attention, is_that_of_queries_sqrt_d_k_times_as_long) {
    const NounTask nouns = make_noun_task({.d_model = 16, .training = short_plan(2)});
    const Ids& ids = nouns.task.held_out[0].inputs;
    NounFinder model = nouns.model;
    const Tensor without = logits_without_scale(model, ids);
    model.attention.w_q.weight.mutable_array() *= 4.0f;  // sqrt(16)
    EXPECT_LT(largest_difference(model.logits(ids), without), 1e-4);
}

}  // namespace
}  // namespace tfs::test
