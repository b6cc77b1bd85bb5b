// tests/10_training/experiments_test.cpp · the stack of the experiments learns its task, and a part that is left out is missing
#include <gtest/gtest.h>

#include <cmath>

#include "chapters/10_training/models/small_stack.hpp"
#include "common/base/address_sanitizer.hpp"

namespace tfs::test {
namespace {

Evaluation trained(const SmallStackPlan& stack) {
    TrainingPlan plan{.steps = 260, .batch_size = 32, .evaluate_every = 260};
    plan.rate = {.peak = 3e-3, .final = 3e-4, .warmup = 20};
    const auto training = make_stack_training(stack, plan);
    train(training->trainer);
    return training->trainer.ask();
}

// Before residuals are compared in minutes (--experiment residuals), in seconds: two layers learn with them, six hardly without.
TEST(small_stack, learns_to_write_rows_backwards_with_residuals_and_not_without) {
    if (has_address_sanitizer) GTEST_SKIP();
    EXPECT_GT(trained({}).accuracy, 0.6);
    const Evaluation without = trained({.layers = 6, .residuals = false});
    EXPECT_LT(without.accuracy, 0.2);
    EXPECT_GT(without.loss, std::log(7.0));
}

}  // namespace
}  // namespace tfs::test
