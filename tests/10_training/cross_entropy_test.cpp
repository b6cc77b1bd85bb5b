// tests/10_training/cross_entropy_test.cpp · step cross_entropy: PyTorch's values, properties
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr Tolerance tight{1e-5, 1e-6};

Ids ids_of(const Shape& shape, const std::vector<std::int64_t>& values) {
    Ids ids = Ids::from_shape(shape);
    std::copy(values.begin(), values.end(), ids.begin());
    return ids;
}

struct GoldenLoss {
    const char *name, *of, *targets;
    double smoothing;

    Tensor golden_of(const std::string& what) const {
        return golden()["loss." + std::string(name) + "." + what];
    }
};
constexpr GoldenLoss golden_losses[]{
    {"plain", "the loss", "loss.targets", 0.0},
    {"gaps", "with ignored targets", "loss.targets_with_gaps", 0.0},
    {"smoothed", "with label smoothing 0.1", "loss.targets", 0.1},
    {"smoothed_gaps", "with label smoothing 0.3 and ignored targets", "loss.targets_with_gaps", 0.3}};

// Before a test whose ignored targets, -100, would lie in front of the array as an index. Here, 20 rows of 5 further up, they
// don't. Rows 20 … 39 are the same, so it does not matter which ten of them are ignored.
testing::AssertionResult ignored_is_no_index() {
    const Tensor logits = concat({normal({20, 5}, 5), Tensor::zeros({20, 5})}, 0);
    const auto without = [&](std::size_t begin) {
        Ids targets = Ids::from_shape({40});
        for (std::size_t i = 0; i < 40; ++i)
            targets(i) =
                i >= begin && i < begin + 10 ? ignored : static_cast<std::int64_t>(i < 20 ? i % 5 : 1);
        return cross_entropy(logits, targets);
    };
    return close_named("of 20 equal rows the last ten are ignored, or the first ten", without(30),
                       without(20));
}

TEST(cross_entropy, does_not_use_an_ignored_target_as_an_index) { EXPECT_TRUE(ignored_is_no_index()); }

TEST(cross_entropy, equals_pytorch) {
    ASSERT_TRUE(ignored_is_no_index());
    for (const GoldenLoss& c : golden_losses) {
        const Tensor loss = cross_entropy(golden()["loss.logits"], golden_ids(c.targets), c.smoothing);
        EXPECT_TRUE(close_named(c.of, loss, c.golden_of("output"), tight));
    }
}

TEST(cross_entropy, sends_the_gradient_of_pytorch) {
    ASSERT_TRUE(ignored_is_no_index());
    for (const GoldenLoss& c : golden_losses) {
        const Tensor logits = leaf("loss.logits");
        const Tensor loss = cross_entropy(logits, golden_ids(c.targets), c.smoothing);
        ASSERT_TRUE(send_back(loss, c.golden_of("grad_weights"))) << c.of;
        EXPECT_TRUE(gradient_close("the logits, " + std::string(c.of), logits, c.golden_of("grad_logits"),
                                   {1e-4, 1e-6}));
    }
}

struct Row {
    const char* what;
    Tensor logits;
    std::vector<std::int64_t> targets;
    double loss, tolerance, smoothing = 0.0;
};

void expect_losses(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        const Ids targets = ids_of({row.targets.size()}, row.targets);
        EXPECT_TRUE(close_named(row.what, cross_entropy(row.logits, targets, row.smoothing),
                                Tensor::full({}, static_cast<float>(row.loss)), {0.0, row.tolerance}));
    }
}

TEST(cross_entropy, large_logits_give_no_infinity_and_no_nan) {
    // Whole numbers, which a float holds exactly with 10000 added; so the losses are the same.
    const Tensor z = Tensor::from({2, 3}, {3, 1, -2, 0, 2, 1}), apart = Tensor::from({1, 3}, {0, -1e4f, -5});
    const double loss = 0.5 * (std::log(1.0 + std::exp(2.0) + std::exp(-3.0)) + 2.0 +
                               std::log(1.0 + std::exp(-2.0) + std::exp(-1.0)));
    expect_losses({{"two rows", z, {1, 0}, loss, 1e-5},
                   {"10000 is added to all logits, which changes no p", z + 1e4f, {1, 0}, loss, 1e-4},
                   {"10000 is subtracted from all logits, which changes no p", z - 1e4f, {1, 0}, loss, 1e-4},
                   {"10000 is added to one row and subtracted from the other, which changes no p",
                    z + Tensor::from({2, 1}, {1e4f, -1e4f}),
                    {1, 0},
                    loss,
                    1e-4},
                   {"logits 0, -10000, -5, target 0", apart, {0}, 0.006715, 1e-5},
                   {"logits 0, -10000, -5, target 1", apart, {1}, 10000.0067, 0.01}});
}

TEST(cross_entropy, a_class_that_cant_come_adds_nothing) {
    const Tensor logits(Tensor::from({1, 5}, {1, -infinity, 2, -infinity, 0}).array(), true);
    const Tensor loss = cross_entropy(logits, ids_of({1}, {0}));
    EXPECT_TRUE(
        close_named("logits 1, -inf, 2, -inf, 0, target 0", loss, Tensor::full({}, 1.407606f), tight));
    ASSERT_TRUE(send_back(loss, Tensor::full({}, 1)));
    EXPECT_TRUE(gradient_close("the logits 1, -inf, 2, -inf, 0", logits,
                               Tensor::from({1, 5}, {-0.755272f, 0, 0.665241f, 0, 0.090031f}), tight));
}

TEST(cross_entropy, the_gradient_of_large_logits_is_p_minus_target) {
    for (const std::vector<float>& row : {std::vector<float>{0, -1e4f, -2e4f}, {1e30f, -1e30f, 0}}) {
        const Tensor logits(Tensor::from({1, 3}, row).array(), true);
        ASSERT_TRUE(send_back(cross_entropy(logits, ids_of({1}, {1})), Tensor::full({}, 1)));
        EXPECT_TRUE(gradient_close("the logits", logits, Tensor::from({1, 3}, {1, -1, 0}), tight));
    }
}

TEST(cross_entropy, a_model_without_any_idea_loses_ln_vocab) {
    const Tensor seven = Tensor::full({6, 7}, 0.5f);
    const std::vector<std::int64_t> targets{0, 6, 1, 3, 2, 4};
    const double expected = std::log(7.0);
    expect_losses({{"7 equal logits", seven, targets, expected, 1e-5},
                   {"7 equal logits, label smoothing 0.1", seven, targets, expected, 1e-5, 0.1},
                   {"7 equal logits, label smoothing 1", seven, targets, expected, 1e-5, 1.0},
                   {"a vocabulary of one token", Tensor::zeros({2, 1}), {0, 0}, 0.0, 1e-6, 0.1}});
}

TEST(cross_entropy, takes_logits_of_any_rank) {
    ASSERT_TRUE(ignored_is_no_index());
    const Tensor flat = normal({24, 5}, 3);
    Ids targets = Ids::from_shape({24});
    for (std::size_t i = 0; i < 24; ++i) targets(i) = i % 7 == 6 ? ignored : static_cast<std::int64_t>(i % 5);
    const Tensor expected = cross_entropy(flat, targets, 0.1);
    for (const Shape& shape : {Shape{4, 6}, Shape{2, 3, 4}}) {
        Shape of_logits = shape;
        of_logits.push_back(5);
        const Ids shaped = ids_of(shape, {targets.begin(), targets.end()});
        EXPECT_TRUE(close_named("logits " + to_string(of_logits),
                                cross_entropy(reshape(flat, of_logits), shaped, 0.1), expected, tight));
    }
    EXPECT_TRUE(close_named("logits (4) and one target", cross_entropy(Tensor::zeros({4}), ids_of({}, {3})),
                            Tensor::full({}, std::log(4.0f)), tight));
}

TEST(cross_entropy, refuses_what_can_not_be_compared) {
    const Tensor z = normal({2, 3}, 2);
    const float last = cross_entropy(z, ids_of({2}, {0, 2}), 1.0).item();
    EXPECT_TRUE(std::isfinite(last)) << "the last token, label smoothing 1: " << last;
    const struct {
        std::vector<std::int64_t> targets;
        double smoothing;
        const char *named, *what;
    } cases[]{{{0, 3}, 0, "3", "a target behind the vocabulary"},
              {{-1, 0}, 0, "-1", "a negative target that is not `ignored`"},
              {{ignored, ignored}, 0, "ignored", "a batch without any target"},
              {{0, 1}, -0.5, "-0.5", "a negative label smoothing"},
              {{0, 1}, 1.5, "1.5", "a label smoothing above 1"},
              {{0, 1}, std::numeric_limits<double>::quiet_NaN(), "nan|NaN", "a label smoothing of NaN"}};
    for (const auto& c : cases)
        EXPECT_TRUE(refuses<ValueError>([&] { (void)cross_entropy(z, ids_of({2}, c.targets), c.smoothing); },
                                        {c.named}, c.what));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)cross_entropy(z, ids_of({3}, {0, 1, 2}));
        },
        {"(2, 3)", "(3)"}, "three targets for two rows"));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)cross_entropy(Tensor::zeros({}), ids_of({}, {0})); }, {"()"},
                                    "logits without an axis"));
}

}  // namespace
}  // namespace tfs::test
