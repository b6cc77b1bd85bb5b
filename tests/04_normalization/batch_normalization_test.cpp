// tests/04_normalization/batch_normalization_test.cpp · step batch_normalization: PyTorch's values, properties, diagnosis
#include "tests/04_normalization/checklist.hpp"

#include <cmath>
#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(batch_normalization, batch_statistics_equal_pytorch_over_batch_and_positions) {
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

TEST(batch_normalization, batch_statistics_send_the_gradient_of_pytorch) {
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
TEST(batch_normalization, batch_statistics_of_a_large_mean_do_not_cancel) {
    const Tensor x = normal({4, 8, 5}, 26) + 1e4f, near_zero = x - 1e4f;  // exact: only the mean is gone
    const Tensor expected = variance(reshape(near_zero, {32, 5}), 0);
    const bool only_here = static_cast<bool>(close(batch_statistics(near_zero).variance, expected));
    EXPECT_TRUE(close_named("variance", batch_statistics(x).variance, expected, {1e-5, 3e-3})) << likely_if(
        only_here,
        "the variance is computed as E[x^2] - E[x]^2: the mean of the squares is about 1e8, where floats "
        "are 8 apart, and the variance of 1 is lost; use `variance`, which subtracts the mean first");
}

// The same tokens with two, three, four and five axes.
TEST(batch_normalization, batch_statistics_reduce_over_all_axes_but_the_last_however_many_there_are) {
    const Tensor x = normal({24, 5}, 21);
    const std::string cause =
        "the number of axes is assumed; x may have two or more: reshape to (x.size() / features, features)";
    const FeatureStatistics of_three = batch_statistics(reshape(x, {4, 6, 5}));
    const bool right =
        close(of_three.mean, mean(x, 0), {0, 1e-6}) && close(of_three.variance, variance(x, 0), {0, 1e-6});
    for (const Shape& shape : {Shape{24, 5}, Shape{4, 6, 5}, Shape{2, 3, 4, 5}, Shape{1, 2, 3, 4, 5}}) {
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

TEST(batch_normalization, batch_statistics_refuse_an_empty_batch_and_a_single_value) {
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

BatchNorm golden_batch_norm() {
    BatchNorm norm(5);
    norm.gamma = leaf("batch_norm.gamma");
    norm.beta = leaf("batch_norm.beta");
    return norm;
}

Tensor columns(const Tensor& x) { return reshape(x, {x.size() / x.size(-1), x.size(-1)}); }

// BatchNorm normalises by what batch_statistics returns: where that is wrong, no other cause is named.
testing::AssertionResult statistics_are_right(const Tensor& x) {
    const FeatureStatistics found = batch_statistics(x);
    const Tensor rows = columns(x);
    if (close(found.mean, mean(rows, 0)) && close(found.variance, variance(rows, 0)))
        return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "batch_statistics is wrong for x " << to_string(x.shape())
           << likely_if(true, "BatchNorm is checked with your batch_statistics: mend that first");
}

// Mean 0 and variance 1 for each feature.
Tensor normalised_by(const Tensor& x, const Tensor& centre, const Tensor& spread, const BatchNorm& norm,
                     float eps = 1e-5f) {
    return norm.gamma.detach() * ((x - centre) / sqrt(spread + eps)) + norm.beta.detach();
}

// Of the formula, whichever statistics are used.
std::vector<Suspect> formula_suspects(const Tensor& x, const Tensor& centre, const Tensor& spread,
                                      const BatchNorm& norm) {
    const Tensor xhat = (x - centre) / sqrt(spread + norm.eps);
    return {
        {"the root is missing: this divides by the variance, not by its root, the standard deviation",
         [=] { return norm.gamma * ((x - centre) / (spread + norm.eps)) + norm.beta; }},
        {"gamma and beta are swapped", [=] { return norm.beta * xhat + norm.gamma; }},
        {"gamma also multiplies beta; beta is added last", [=] { return norm.gamma * (xhat + norm.beta); }},
        {"gamma is not used", [=] { return xhat + norm.beta; }},
        {"beta is not used", [=] { return norm.gamma * xhat; }},
        {"gamma and beta are not used", [=] { return xhat; }}};
}

TEST(batch_normalization, batch_norm_in_training_equals_pytorch_in_value_and_gradient) {
    BatchNorm norm = golden_batch_norm();
    const Tensor x = leaf("batch_norm.first.x"), rows = columns(x.detach());
    ASSERT_TRUE(statistics_are_right(x.detach()));
    const Tensor centre = mean(rows, 0), spread = variance(rows, 0);
    const Tensor y = norm(x, NormMode::training);
    std::vector<Suspect> suspects = formula_suspects(x, centre, spread, norm);
    const std::vector<Suspect> of_training{
        {"the running statistics are used in training; training normalises by the statistics of the batch",
         [=] { return normalised_by(x, Tensor::zeros({5}), Tensor::ones({5}), norm); }},
        {"the running statistics are used in training, after their update; training normalises by the "
         "statistics of the batch",
         [=] { return normalised_by(x, centre * 0.1f, spread * (0.1f * of_a_sample(12)) + 0.9f, norm); }},
        {"the batch is normalised by the variance over n - 1; that one is for the running variance only",
         [=] { return normalised_by(x, centre, spread * of_a_sample(12), norm); }},
        {"each token is normalised over its features: that is LayerNorm",
         [=] { return norm.gamma * normalised(x, 1e-5f) + norm.beta; }}};
    suspects.insert(suspects.end(), of_training.begin(), of_training.end());
    EXPECT_TRUE(close(y, golden()["batch_norm.first.output"], {1e-5, 2e-6}, suspects));
    const Tensor upstream = golden()["batch_norm.first.grad_weights"];
    const Tensor cut = gradient_through(
        [&](const Tensor& t) { return normalised_by(t, centre, spread, norm); }, x, upstream);
    ASSERT_TRUE(send_back(y, upstream));
    EXPECT_TRUE(
        gradient_close("x", x, golden()["batch_norm.first.grad_x"], {1e-5, 2e-6},
                       {known("the batch's statistics are detached; only the running ones are", cut)}));
    EXPECT_TRUE(gradient_close("gamma", norm.gamma, golden()["batch_norm.first.grad_gamma"], {1e-5, 4e-6}));
    EXPECT_TRUE(gradient_close("beta", norm.beta, golden()["batch_norm.first.grad_beta"], {1e-5, 2e-6}));
}

TEST(batch_normalization, batch_norm_moves_its_running_statistics_as_pytorch) {
    BatchNorm norm = golden_batch_norm();
    Tensor old_mean = Tensor::zeros({5}), old_variance = Tensor::ones({5});
    for (const std::string batch : {"first", "second"}) {
        const Tensor x = golden()["batch_norm." + batch + ".x"];
        ASSERT_TRUE(statistics_are_right(x));
        (void)norm(x, NormMode::training);
        const Tensor centre = mean(columns(x), 0), spread = variance(columns(x), 0);
        const Tensor sampled = spread * of_a_sample(12);
        const std::string never = "the running statistics are never updated; training must move them";
        const std::string round =
            "momentum the wrong way round: it is the share of the new batch, and 1 - momentum is "
            "the share of the old value";
        const std::string kept =
            "the old value is not multiplied by 1 - momentum: nothing old is ever forgotten";
        const std::string away =
            "the running statistics move away from the batch: the difference is batch - running, or the sum "
            "(1 - momentum) running + momentum batch";
        EXPECT_TRUE(close_named(
            "running mean", norm.running_mean, golden()["batch_norm." + batch + ".running_mean"],
            {1e-5, 1e-6},
            {known(never, old_mean), known(kept, old_mean + centre * 0.1f),
             known(away, old_mean * 1.1f - centre * 0.1f), known(round, old_mean * 0.1f + centre * 0.9f),
             known("the batch's mean replaces the running one", centre)}));
        EXPECT_TRUE(close_named(
            "running variance", norm.running_variance, golden()["batch_norm." + batch + ".running_variance"],
            {1e-5, 1e-6},
            {known(never, old_variance), known(kept, old_variance + sampled * 0.1f),
             known(away, old_variance * 1.1f - sampled * 0.1f),
             known(round, old_variance * 0.1f + sampled * 0.9f),
             known("the running variance takes the batch's variance over n; it must be the variance of a "
                   "sample, n / (n - 1) times as large (in whole numbers n / (n - 1) is 1: make n a float)",
                   old_variance * 0.9f + spread * 0.1f),
             known("n is the number of sentences; it must be the number of all their tokens, x.size() / "
                   "gamma.size()",
                   old_variance * 0.9f + spread * (0.1f * of_a_sample(3))),
             known("the factor is upside down: a sample's variance is n / (n - 1) times the batch's, "
                   "more and not less",
                   old_variance * 0.9f + spread * (0.1f / of_a_sample(12))),
             known("the running variance moves from the running mean; it must move from its own old value",
                   golden()["batch_norm." + batch + ".running_mean"] * 0.9f + sampled * 0.1f),
             known("the running variance moves towards the batch's mean; it must move towards its variance",
                   old_variance * 0.9f + centre * 0.1f),
             known("the batch's variance replaces the running one", sampled)}));
        old_mean = golden()["batch_norm." + batch + ".running_mean"];
        old_variance = golden()["batch_norm." + batch + ".running_variance"];
    }
}

// The same 24 tokens with two, three and four axes.
TEST(batch_normalization, batch_norm_counts_all_values_of_a_feature_for_the_running_variance) {
    const Tensor x = normal({24, 5}, 28), spread = variance(x, 0);
    const auto moved = [&](double n) { return spread * (0.1f * of_a_sample(n)) + 0.9f; };
    for (const Shape& shape : {Shape{24, 5}, Shape{4, 6, 5}, Shape{2, 3, 4, 5}}) {
        ASSERT_TRUE(statistics_are_right(reshape(x, shape)));
        BatchNorm norm(5);
        (void)norm(reshape(x, shape), NormMode::training);
        const double first = static_cast<double>(shape[0]), second = static_cast<double>(shape[1]);
        EXPECT_TRUE(close_named(
            "running variance after " + to_string(shape), norm.running_variance, moved(24), {1e-5, 1e-6},
            {known("n is not the number of values of each feature; x may have two axes or more, and n is "
                   "x.size() / gamma.size() for all of them",
                   moved(first * second)),
             known("n is the size of the first axis; it must be the product of all axes but the last, "
                   "x.size() / gamma.size()",
                   moved(first))}));
    }
}

TEST(batch_normalization, batch_norm_keeps_its_running_statistics_off_the_tape) {
    ASSERT_TRUE(statistics_are_right(golden()["batch_norm.first.x"]));
    BatchNorm norm = golden_batch_norm();
    (void)norm(leaf("batch_norm.first.x"), NormMode::training);
    EXPECT_FALSE(norm.running_mean.requires_grad() || norm.running_variance.requires_grad()) << likely_if(
        true,
        "the running statistics remember the batch they came from: detach() what is stored, or the tape "
        "grows with every batch");
    ASSERT_EQ(norm.buffers().size(), 2u);
    EXPECT_EQ(norm.buffers()[0].name + " " + norm.buffers()[1].name, "running_mean running_variance");
    ASSERT_EQ(norm.parameters().size(), 2u);
}

TEST(batch_normalization, batch_norm_in_evaluation_equals_pytorch_and_changes_nothing) {
    BatchNorm norm = golden_batch_norm();
    const Tensor centre = golden()["batch_norm.second.running_mean"];
    const Tensor spread = golden()["batch_norm.second.running_variance"];
    norm.running_mean = centre.detach();
    norm.running_variance = spread.detach();
    const Tensor x = leaf("batch_norm.evaluation.x"), rows = columns(x.detach());
    const Tensor y = norm(x, NormMode::evaluation);
    std::vector<Suspect> suspects = formula_suspects(x, centre, spread, norm);
    suspects.push_back({"the batch's own statistics are used in evaluation; use the running ones there",
                        [=] { return normalised_by(x, mean(rows, 0), variance(rows, 0), norm); }});
    EXPECT_TRUE(close(y, golden()["batch_norm.evaluation.output"], {1e-5, 2e-6}, suspects));
    ASSERT_TRUE(y.requires_grad()) << likely_if(
        true,
        "evaluation records no gradient; the mode says only which statistics are used, and a gradient "
        "flows to x, gamma and beta in both");
    ASSERT_TRUE(send_back(y, golden()["batch_norm.evaluation.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["batch_norm.evaluation.grad_x"], {1e-5, 2e-6}));
    EXPECT_TRUE(
        gradient_close("gamma", norm.gamma, golden()["batch_norm.evaluation.grad_gamma"], {1e-5, 4e-6}));
    EXPECT_TRUE(close(norm.running_mean, centre, {0, 0}) && close(norm.running_variance, spread, {0, 0}))
        << likely_if(true, "evaluation changes the running statistics; only training may");
}

const std::string eps_collected =
    "eps is added to the running variance; it is added only where x is normalised";

std::string eps_not_added(NormMode mode) {
    return mode == NormMode::evaluation ? "eps is not added in evaluation"
                                        : "eps is not added in training: a feature that is constant has the "
                                          "variance 0, and 0 / 0 is NaN";
}

// Features of variances around eps = 0.25, and far below it.
TEST(batch_normalization, batch_norm_takes_eps_and_momentum_from_its_members_in_both_modes) {
    const Tensor x = normal({3, 4, 5}, 27) * Tensor::from({5}, {0.01f, 0.1f, 1, 3, 10});
    ASSERT_TRUE(statistics_are_right(x));
    const Tensor centre = mean(columns(x), 0), spread = variance(columns(x), 0);
    for (const NormMode mode : {NormMode::training, NormMode::evaluation}) {
        BatchNorm norm(5, 0.25f, 0.25f);
        norm.running_mean = centre.detach();
        norm.running_variance = spread.detach();
        const std::string name = mode == NormMode::training ? "training" : "evaluation";
        EXPECT_TRUE(close_named(
            name + " with eps 0.25", norm(x, mode), normalised_by(x, centre, spread, norm, 0.25f),
            {1e-5, 1e-6},
            {known(eps_not_added(mode), normalised_by(x, centre, spread, norm, 0.0f)),
             known("eps is a number in the code: use the member eps", normalised_by(x, centre, spread, norm)),
             known(eps_outside_of_variance, (x - centre) / (sqrt(spread) + 0.25f)),
             known(eps_squared, normalised_by(x, centre, spread, norm, 0.0625f)),
             known(eps_as_floor, (x - centre) / maximum(sqrt(spread), 0.25f)),
             known(eps_as_floor, (x - centre) / sqrt(maximum(spread, 0.25f)))}));
    }
    BatchNorm norm(5, 0.25f, 0.25f);
    (void)norm(x + 3.0f, NormMode::training);
    EXPECT_TRUE(close_named(
        "running mean with momentum 0.25", norm.running_mean, (centre + 3.0f) * 0.25f, {1e-5, 1e-6},
        {known("momentum is a number in the code: use the member momentum", (centre + 3.0f) * 0.1f)}));
    EXPECT_TRUE(close_named("running variance with momentum 0.25", norm.running_variance,
                            spread * (0.25f * of_a_sample(12)) + 0.75f, {1e-5, 1e-6},
                            {known("momentum is a number in the code: use the member momentum",
                                   spread * (0.1f * of_a_sample(12)) + 0.9f),
                             known(eps_collected, (spread * of_a_sample(12) + 0.25f) * 0.25f + 0.75f),
                             known(eps_collected, (spread + 0.25f) * (0.25f * of_a_sample(12)) + 0.75f)}));
}

TEST(batch_normalization, batch_norm_of_a_feature_without_variance_gives_beta_in_training) {
    const Tensor x = Tensor::full({4, 3}, 5.0f);
    ASSERT_TRUE(statistics_are_right(x));
    BatchNorm norm(3);
    const Tensor y = norm(x, NormMode::training);
    EXPECT_TRUE(close(y, Tensor::zeros({4, 3})))
        << likely_if(contains_nan(y), eps_not_added(NormMode::training));
}

TEST(batch_normalization, batch_norm_takes_a_token_alone_in_evaluation_and_refuses_it_in_training) {
    BatchNorm norm(3);
    EXPECT_TRUE(close(norm(Tensor::from({1, 3}, {1, 2, 3}), NormMode::evaluation),
                      Tensor::from({1, 3}, {1, 2, 3}) / std::sqrt(1.0f + 1e-5f)));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            return norm(Tensor::zeros({1, 3}), NormMode::training);
        },
        {"(1, 3)", "one value"}));
    for (const NormMode mode : {NormMode::training, NormMode::evaluation})
        EXPECT_TRUE(refuses<ValueError>(
            [&] {
                return norm(Tensor::zeros({0, 3}), mode);
            },
            {"(0, 3)", "empty"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            return norm(Tensor::zeros({2, 4}), NormMode::training);
        },
        {"(2, 4)", "made for 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { return BatchNorm(3, 1.5f); }, {"momentum = 1.5"}));
    EXPECT_TRUE(refuses<ValueError>([] { return BatchNorm(0); }, {"BatchNorm", "width of 0"}));
}

TEST(batch_normalization, batch_norm_of_a_feature_depends_on_other_sentences_not_on_other_features) {
    const Tensor x = normal({2, 4, 3}, 22);
    ASSERT_TRUE(statistics_are_right(x));
    BatchNorm norm(3), of_one(1);
    const Tensor y = norm(x, NormMode::training);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close(of_one(slice(x, 2, 1, 2), NormMode::training), slice(y, 2, 1, 2), {1e-5, 1e-6}));
    const Tensor alone = norm(slice(x, 0, 0, 1), NormMode::training);
    EXPECT_FALSE(close(alone, slice(y, 0, 0, 1), {1e-2, 1e-2})) << likely_if(
        true, "a sentence is normalised by itself; BatchNorm takes its statistics from the whole batch");
}

}  // namespace
}  // namespace tfs::test
