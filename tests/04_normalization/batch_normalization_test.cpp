// tests/04_normalization/batch_normalization_test.cpp · step batch_normalization: PyTorch's values, the formula, properties
#include <cmath>
#include <string>

#include "chapters/04_normalization/normalization.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(batch_normalization, batch_statistics_equal_pytorch_over_batch_and_positions) {
    const FeatureStatistics found = batch_statistics(golden()["statistics.x"]);
    EXPECT_TRUE(close_named("mean", found.mean, golden()["statistics.mean.output"]));
    EXPECT_TRUE(close_named("variance", found.variance, golden()["statistics.variance.output"]));
}

TEST(batch_normalization, batch_statistics_send_the_gradient_of_pytorch) {
    const Tensor x = leaf("statistics.x"), y = leaf("statistics.x");
    EXPECT_TRUE(send_back(batch_statistics(x).mean, golden()["statistics.mean.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["statistics.mean.grad_x"], {1e-5, 1e-6}));
    EXPECT_TRUE(send_back(batch_statistics(y).variance, golden()["statistics.variance.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", y, golden()["statistics.variance.grad_x"], {1e-5, 1e-6}));
}

// Entries near 10000 are rounded to 0.001, so their float mean may be wrong by that much: hence the tolerance.
TEST(batch_normalization, batch_statistics_of_a_large_mean_do_not_cancel) {
    const Tensor x = normal({4, 8, 5}, 26) + 1e4f, near_zero = x - 1e4f;  // exact: only the mean is gone
    EXPECT_TRUE(close_named("variance", batch_statistics(x).variance,
                            variance(reshape(near_zero, {32, 5}), 0), {1e-5, 3e-3}));
}

// The same tokens with two, three, four and five axes.
TEST(batch_normalization, batch_statistics_reduce_over_all_axes_but_the_last_however_many_there_are) {
    const Tensor x = normal({24, 5}, 21);
    for (const Shape& shape : {Shape{4, 6, 5}, Shape{24, 5}, Shape{2, 3, 4, 5}, Shape{1, 2, 3, 4, 5}}) {
        const FeatureStatistics found = batch_statistics(reshape(x, shape));
        EXPECT_TRUE(close_named("mean of " + to_string(shape), found.mean, mean(x, 0), {0, 1e-6}));
        EXPECT_TRUE(
            close_named("variance of " + to_string(shape), found.variance, variance(x, 0), {0, 1e-6}));
    }
}

TEST(batch_normalization, batch_statistics_refuse_an_empty_batch_and_a_single_value) {
    ASSERT_TRUE(has_shape(batch_statistics(Tensor::zeros({2, 3})).mean, {3}));
    const auto shaped = [](const Shape& shape) { return batch_statistics(Tensor::zeros(shape)); };
    EXPECT_TRUE(refuses<ValueError>([&] { return shaped({0, 3}); }, {"(0, 3)", "empty"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return shaped({1, 1, 3}); }, {"(1, 1, 3)", "one value"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { return shaped({3}); }, {"(3)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { return shaped({3, 0}); }, {"(3, 0)"}));
}

BatchNorm golden_batch_norm() {
    BatchNorm norm(5);
    norm.gamma = leaf("batch_norm.gamma");
    norm.beta = leaf("batch_norm.beta");
    return norm;
}

void expect_running(const BatchNorm& norm, const std::string& when, const Tensor& mean,
                    const Tensor& variance) {
    EXPECT_TRUE(close_named("running mean " + when, norm.running_mean, mean));
    EXPECT_TRUE(close_named("running variance " + when, norm.running_variance, variance));
}

void expect_gradients(const BatchNorm& norm, const Tensor& x, const Tensor& y, const std::string& batch) {
    const std::string prefix = "batch_norm." + batch + ".grad_";
    ASSERT_TRUE(send_back(y, golden()[prefix + "weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()[prefix + "x"], {1e-5, 2e-6}));
    EXPECT_TRUE(gradient_close("gamma", norm.gamma, golden()[prefix + "gamma"], {1e-5, 4e-6}));
    EXPECT_TRUE(gradient_close("beta", norm.beta, golden()[prefix + "beta"], {1e-5, 2e-6}));
}

TEST(batch_normalization, batch_norm_in_training_equals_pytorch_in_value_and_gradient) {
    BatchNorm norm = golden_batch_norm();
    const Tensor x = leaf("batch_norm.first.x"), y = norm(x, NormMode::training);
    EXPECT_TRUE(close(y, golden()["batch_norm.first.output"], {1e-5, 2e-6}));
    expect_gradients(norm, x, y, "first");
}

TEST(batch_normalization, batch_norm_moves_its_running_statistics_as_pytorch) {
    BatchNorm norm = golden_batch_norm();
    for (const std::string batch : {"first", "second"}) {
        (void)norm(golden()["batch_norm." + batch + ".x"], NormMode::training);
        expect_running(norm, "after the " + batch + " batch",
                       golden()["batch_norm." + batch + ".running_mean"],
                       golden()["batch_norm." + batch + ".running_variance"]);
    }
}

// The same 24 tokens with two, three and four axes.
TEST(batch_normalization, batch_norm_counts_all_values_of_a_feature_for_the_running_variance) {
    const Tensor x = normal({24, 5}, 28);
    for (const Shape& shape : {Shape{24, 5}, Shape{4, 6, 5}, Shape{2, 3, 4, 5}}) {
        BatchNorm norm(5);
        (void)norm(reshape(x, shape), NormMode::training);
        expect_running(norm, "after " + to_string(shape), mean(x, 0) * 0.1f,
                       variance(x, 0) * (0.1f * 24.0f / 23.0f) + 0.9f);
    }
}

TEST(batch_normalization, batch_norm_keeps_its_running_statistics_off_the_tape) {
    BatchNorm norm = golden_batch_norm();
    (void)norm(leaf("batch_norm.first.x"), NormMode::training);
    const auto on_the_tape = [](const Tensor& x) {
        return std::string(x.requires_grad() ? "on the tape" : "off the tape");
    };
    EXPECT_EQ(on_the_tape(norm.running_mean), "off the tape");
    EXPECT_EQ(on_the_tape(norm.running_variance), "off the tape");
    ASSERT_EQ(norm.buffers().size(), 2u);
    EXPECT_EQ(norm.buffers()[0].name + " " + norm.buffers()[1].name, "running_mean running_variance");
    ASSERT_EQ(norm.parameters().size(), 2u);
}

TEST(batch_normalization, batch_norm_in_evaluation_equals_pytorch_and_changes_nothing) {
    BatchNorm norm = golden_batch_norm();
    const Tensor centre = golden()["batch_norm.second.running_mean"],
                 spread = golden()["batch_norm.second.running_variance"];
    norm.running_mean = centre.detach();
    norm.running_variance = spread.detach();
    const Tensor x = leaf("batch_norm.evaluation.x"), y = norm(x, NormMode::evaluation);
    EXPECT_TRUE(close(y, golden()["batch_norm.evaluation.output"], {1e-5, 2e-6}));
    expect_running(norm, "after evaluation", centre, spread);
    expect_gradients(norm, x, y, "evaluation");
}

// Features of variances around eps = 0.25, and far below it.
TEST(batch_normalization, batch_norm_takes_eps_and_momentum_from_its_members_in_both_modes) {
    const Tensor x = normal({3, 4, 5}, 27) * Tensor::from({5}, {0.01f, 0.1f, 1, 3, 10});
    const Tensor rows = reshape(x, {12, 5}), centre = mean(rows, 0), spread = variance(rows, 0);
    for (const NormMode mode : {NormMode::training, NormMode::evaluation}) {
        BatchNorm norm(5, 0.25f, 0.25f);
        norm.running_mean = centre.detach();
        norm.running_variance = spread.detach();
        EXPECT_TRUE(close_named(mode == NormMode::training ? "training" : "evaluation", norm(x, mode),
                                (x - centre) / sqrt(spread + 0.25f)));
    }
    BatchNorm norm(5, 0.25f, 0.25f);
    (void)norm(x + 3.0f, NormMode::training);
    expect_running(norm, "with momentum 0.25", (centre + 3.0f) * 0.25f,
                   spread * (0.25f * 12.0f / 11.0f) + 0.75f);
}

TEST(batch_normalization, batch_norm_of_a_feature_without_variance_gives_beta_in_training) {
    BatchNorm norm(3);
    EXPECT_TRUE(close(norm(Tensor::full({4, 3}, 5.0f), NormMode::training), Tensor::zeros({4, 3})));
}

TEST(batch_normalization, batch_norm_takes_a_token_alone_in_evaluation_and_refuses_it_in_training) {
    BatchNorm norm(3);
    const auto shaped = [&](const Shape& shape, NormMode mode) { return norm(Tensor::zeros(shape), mode); };
    EXPECT_TRUE(close(norm(Tensor::from({1, 3}, {1, 2, 3}), NormMode::evaluation),
                      Tensor::from({1, 3}, {1, 2, 3}) / std::sqrt(1.0f + 1e-5f)));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            return shaped({1, 3}, NormMode::training);
        },
        {"(1, 3)", "one value"}));
    for (const NormMode mode : {NormMode::training, NormMode::evaluation})
        EXPECT_TRUE(refuses<ValueError>([&] { return shaped({0, 3}, mode); }, {"(0, 3)", "empty"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            return shaped({2, 4}, NormMode::training);
        },
        {"(2, 4)", "features = 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { return BatchNorm(3, 1.5f); }, {"momentum = 1.5"}));
    EXPECT_TRUE(refuses<ValueError>([] { return BatchNorm(0); }, {"BatchNorm", "width of 0"}));
}

}  // namespace
}  // namespace tfs::test
