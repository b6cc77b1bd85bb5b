// tests/04_normalization/batch_statistics_test.cpp · step batch_statistics: PyTorch's values, properties, diagnosis
#include "tests/04_normalization/checklist.hpp"

#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(batch_statistics, equal_pytorch_over_batch_and_positions) {
    const Tensor x = golden()["statistics.x"];
    const auto [mean_found, variance_found] = batch_statistics(x);
    const bool per_token = mean_found.size() == 12;
    const bool per_position = mean_found.shape() == Shape{4, 5} || mean_found.shape() == Shape{1, 4, 5};
    const bool per_sentence = mean_found.shape() == Shape{3, 5} || mean_found.shape() == Shape{3, 1, 5};
    const bool kept = mean_found.shape() == Shape{1, 5};
    const bool channels_first = mean_found.shape() == Shape{4} || mean_found.shape() == Shape{1, 4, 1};
    const Tensor rows = reshape(x, {12, 5}), mixed = reshape(x, {5, 12});
    const std::string mixes =
        "reshape to (features, rest) mixes the features up, since they are the last axis: reshape to (rest, "
        "features), and reduce over axis 0";
    const std::string swapped = "mean and variance are swapped: the result is {mean, variance}";
    EXPECT_TRUE(close_named("mean", mean_found, golden()["statistics.mean.output"], {},
                            {known(mixes, mean(mixed, 1)), known(swapped, variance(rows, 0))}))
        << likely_if(
               kept,
               "the axis is kept with size 1; without KeepDims::yes it is dropped, as the contract wants")
        << likely_if(
               per_token,
               "the mean runs over the features of a token, as in LayerNorm; here each feature has one, "
               "over batch and positions")
        << likely_if(
               channels_first,
               "axis 1 is taken for the features, as in torch.nn.BatchNorm1d; here they are the last axis")
        << likely_if(per_position,
                     "the mean runs over the batch only: each position has its own; reshape to (batch * "
                     "seq, features) first")
        << likely_if(per_sentence,
                     "the mean runs over the positions only: each sentence has its own; reshape to (batch "
                     "* seq, features) first");
    EXPECT_TRUE(close_named(
        "variance", variance_found, golden()["statistics.variance.output"], {1e-5, 1e-6},
        {known(mixes, variance(mixed, 1)),
         known(swapped, mean(rows, 0)),
         {"the variance is divided by n - 1; the batch is normalised by its variance divided by n",
          [=] { return variance(rows, 0) * of_a_sample(12); }},
         {"this is the mean of the sentences' variances: what lies between the sentences is missing",
          [=] { return mean(variance(x, 1), 0); }},
         {"this is the mean of the positions' variances: what lies between the positions is missing",
          [=] { return mean(variance(x, 0), 0); }},
         {"this is a variance of variances; all tokens together have one: reshape to (batch * seq, features) "
          "first",
          [=] { return variance(variance(x, 0), 0); }},
         {"this is a variance of variances; all tokens together have one: reshape to (batch * seq, features) "
          "first",
          [=] { return variance(variance(x, 1), 0); }},
         {"this is the standard deviation; the variance is its square",
          [=] { return sqrt(variance(rows, 0)); }},
         {"this is the mean of x^2: the mean is not subtracted", [=] { return mean(rows * rows, 0); }}}));
}

TEST(batch_statistics, send_the_gradient_of_pytorch) {
    for (const std::string which : {"mean", "variance"}) {
        const Tensor x = leaf("statistics.x");
        const std::string prefix = "statistics." + which + ".";
        const FeatureStatistics found = batch_statistics(x);
        const Tensor& result = which == "mean" ? found.mean : found.variance;
        ASSERT_TRUE(result.requires_grad()) << likely_if(
            true, "the " + which + " is made from raw values, or detached: both must lie on the tape");
        ASSERT_TRUE(send_back(result, golden()[prefix + "grad_weights"]));
        EXPECT_TRUE(gradient_close("x", x, golden()[prefix + "grad_x"], {1e-5, 1e-6}));
    }
}

// Entries near 10000 are rounded to 0.001, so their float mean may be wrong by that much: hence the tolerance.
TEST(batch_statistics, a_large_mean_does_not_cancel) {
    const Tensor x = normal({4, 8, 5}, 26) + 1e4f, near_zero = x - 1e4f;  // exact: only the mean is gone
    const Tensor expected = variance(reshape(near_zero, {32, 5}), 0);
    const bool only_here = static_cast<bool>(close(batch_statistics(near_zero).variance, expected));
    EXPECT_TRUE(close_named("variance", batch_statistics(x).variance, expected, {1e-5, 3e-3})) << likely_if(
        only_here,
        "the variance is computed as E[x^2] - E[x]^2: the mean of the squares is about 1e8, where floats "
        "are 8 apart, and the variance of 1 is lost; use `variance`, which subtracts the mean first");
}

// The same tokens with two, three, four and five axes.
TEST(batch_statistics, reduce_over_all_axes_but_the_last_however_many_there_are) {
    const Tensor x = normal({12, 5}, 21);
    const std::string cause =
        "the number of axes is assumed; x may have two or more: reshape to (x.size() / features, features)";
    const FeatureStatistics of_three = batch_statistics(reshape(x, {3, 4, 5}));
    const bool right =
        close(of_three.mean, mean(x, 0), {0, 1e-6}) && close(of_three.variance, variance(x, 0), {0, 1e-6});
    for (const Shape& shape : {Shape{12, 5}, Shape{3, 4, 5}, Shape{3, 2, 2, 5}, Shape{1, 3, 2, 2, 5}}) {
        try {
            const FeatureStatistics found = batch_statistics(reshape(x, shape));
            EXPECT_TRUE(close_named("mean of " + to_string(shape), found.mean, mean(x, 0), {0, 1e-6}))
                << likely_if(right, cause);
            EXPECT_TRUE(
                close_named("variance of " + to_string(shape), found.variance, variance(x, 0), {0, 1e-6}))
                << likely_if(right, cause);
        } catch (const ShapeError& error) {
            FAIL() << to_string(shape) << ": " << error.what() << likely_if(right, cause);
        }
    }
}

TEST(batch_statistics, refuse_an_empty_batch_and_a_single_value) {
    ASSERT_TRUE(has_shape(batch_statistics(Tensor::zeros({2, 3})).mean, {3}));
    EXPECT_TRUE(refuses<ValueError>(
        [] {
            return batch_statistics(Tensor::zeros({0, 3}));
        },
        {"(0, 3)", "empty"}));
    EXPECT_TRUE(refuses<ValueError>(
        [] {
            return batch_statistics(Tensor::zeros({1, 1, 3}));
        },
        {"(1, 1, 3)", "one value"}));
    EXPECT_TRUE(refuses<ShapeError>([] { return batch_statistics(Tensor::zeros({3})); }, {"(3)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { return batch_statistics(Tensor::zeros({3, 0})); }, {"(3, 0)"}));
}

}  // namespace
}  // namespace tfs::test
