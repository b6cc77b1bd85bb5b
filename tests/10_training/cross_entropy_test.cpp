// tests/10_training/cross_entropy_test.cpp · step cross_entropy: PyTorch's values, properties, diagnosis
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/10_training/wrong_losses.hpp"
#include "tests/support/close.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr Tolerance tight{1e-5, 1e-6};

Ids ids_of(const Shape& shape, const std::vector<std::int64_t>& values) {
    Ids ids = Ids::from_shape(shape);
    std::copy(values.begin(), values.end(), ids.begin());
    return ids;
}

// A cause is told only where it explains all losses: half of them may be right.
std::string cause_of(const Tensor& logits, const std::vector<LossCase>& cases,
                     const std::vector<Tensor>& losses) {
    WrongLosses all = wrong_averages();
    for (const WrongLoss& wrong : wrong_formulas()) all.push_back(wrong);
    for (const WrongLoss& wrong : all) {
        bool explains = true;
        for (std::size_t i = 0; i < cases.size() && explains; ++i)
            explains = close(losses[i], wrong.loss(logits, cases[i]), {1e-4, 1e-5});
        if (explains) return wrong.message;
    }
    return {};
}

TEST(cross_entropy, equals_pytorch) {
    ASSERT_TRUE(ignored_is_no_index());
    const Tensor logits = golden()["loss.logits"];
    const std::vector<LossCase> cases = loss_cases();
    std::vector<Tensor> losses;
    std::vector<bool> right;
    for (const LossCase& c : cases) {
        losses.push_back(cross_entropy(logits, c.targets, c.smoothing));
        right.push_back(close(losses.back(), c.golden_of("output"), tight));
    }
    const bool scalar = losses[0].shape() == Shape{};
    const std::string cause = cause_of(logits, cases, losses);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        EXPECT_TRUE(close_named(cases[i].of, losses[i], cases[i].golden_of("output"), tight))
            << likely_if(!scalar, "the loss is one number for the whole batch, a scalar of shape ()")
            << likely_if(!cause.empty(), cause)
            << likely_if(
                   cause.empty() && i == 1 && right[0],
                   "without ignored targets the loss is right: they may count neither in the sum nor in "
                   "what it is divided by")
            << likely_if(
                   cause.empty() && i == 2 && right[0] && right[1],
                   "without smoothing the loss is right: the shares are 1 - s + s/vocab for the target and "
                   "s/vocab for each other token");
    }
}

TEST(cross_entropy, sends_the_gradient_of_pytorch) {
    ASSERT_TRUE(ignored_is_no_index());
    for (const LossCase& c : loss_cases()) {
        const Tensor logits = leaf("loss.logits");
        const Tensor loss = cross_entropy(logits, c.targets, c.smoothing);
        ASSERT_TRUE(send_back(loss, c.golden_of("grad_weights"))) << c.of;
        std::vector<Suspect> suspects;
        if (close(loss, c.golden_of("output"), tight))
            for (const WrongGradient& wrong : wrong_gradients())
                suspects.push_back({wrong.message, [&] { return wrong.gradient(logits, c); }});
        ASSERT_TRUE(gradient_close("the logits, " + c.of, logits, c.golden_of("grad_logits"), {1e-4, 1e-6},
                                   suspects));
    }
}

TEST(cross_entropy, agrees_with_finite_differences) {
    ASSERT_TRUE(ignored_is_no_index());
    const Ids targets = ids_of({3}, {2, ignored, 0});
    const auto f = [&](const std::vector<Tensor>& in) { return cross_entropy(in[0], targets, 0.2); };
    EXPECT_TRUE(gradients_match(f, {normal({3, 4}, 1)}));
}

TEST(cross_entropy, large_logits_give_no_infinity_and_no_nan) {
    // Whole numbers, which a float holds exactly with 10000 added; so the losses are the same.
    const Tensor z = Tensor::from({2, 3}, {3, 1, -2, 0, 2, 1});
    const Ids targets = ids_of({2}, {1, 0});
    const auto loss = [&](const Tensor& logits) { return cross_entropy(logits, targets).item(); };
    const float expected = 0.5f * (std::log(1.0f + std::exp(2.0f) + std::exp(-3.0f)) + 2.0f +
                                   std::log(1.0f + std::exp(-2.0f) + std::exp(-1.0f)));
    ASSERT_NEAR(loss(z), expected, 1e-5f);
    const float high = loss(z + 1e4f), low = loss(z - 1e4f);
    const float rows = loss(z + Tensor::from({2, 1}, {1e4f, -1e4f}));
    const Tensor apart = Tensor::from({1, 3}, {0, -1e4f, -5});
    const float of_largest = cross_entropy(apart, ids_of({1}, {0})).item();  // -ln(1 / (1 + e^-5))
    const float of_smallest = cross_entropy(apart, ids_of({1}, {1})).item();
    const auto right = [&](float x) { return std::abs(x - expected) < 1e-4f; };
    const bool each_row = right(high) && right(low) && right(rows);
    EXPECT_NEAR(high, expected, 1e-4f) << "10000 is added to all logits, which changes no p"
                                       << likely_if(!std::isfinite(high),
                                                    "exp overflows: subtract the largest logit of each row "
                                                    "first, max(logits, -1, KeepDims::yes)")
                                       << likely_if(std::abs(high - std::log(3.0f)) < 1e-4f,
                                                    "large logits are cut off, so that all are equal");
    EXPECT_NEAR(low, expected, 1e-4f)
        << "10000 is subtracted from all logits, which changes no p"
        << likely_if(!std::isfinite(low),
                     "every exp is 0, and so is their sum: subtract the largest "
                     "logit of each row first, max(logits, -1, KeepDims::yes)");
    EXPECT_NEAR(rows, expected, 1e-4f)
        << "10000 is added to one row and subtracted from the other, which changes no p"
        << likely_if(right(high) && right(low),
                     "the largest of ALL logits is subtracted; subtract from each row its own");
    EXPECT_NEAR(of_largest, 0.006715, 1e-5)
        << "logits 0, -10000, -5, target 0"
        << likely_if(each_row && (std::isinf(of_largest) || std::isnan(of_smallest)),
                     "exp overflows: what is subtracted from a row must be its LARGEST logit, not its mean "
                     "or another");
    EXPECT_NEAR(of_smallest, 10000.0067, 0.01)
        << "logits 0, -10000, -5, target 1"
        << likely_if(each_row && !std::isinf(of_largest) && of_smallest > 1e30f,
                     "p is computed first; here it is 0, and ln 0 is -inf. Use "
                     "ln p_i = z_i - max - ln sum exp(z - max)")
        << likely_if(each_row && of_smallest > 0.0f && of_smallest < 200.0f,
                     "p is kept from 0 by a small number, which also hides how wrong the model is. Use "
                     "ln p_i = z_i - max - ln sum exp(z - max)");
}

TEST(cross_entropy, a_class_that_cant_come_adds_nothing) {
    const Tensor logits(Tensor::from({1, 4}, {1, -INFINITY, 2, 0}).array(), true);
    const Tensor loss = cross_entropy(logits, ids_of({1}, {0}));
    EXPECT_NEAR(loss.item(), 1.407606f, 1e-5f)  // PyTorch
        << "logits 1, -inf, 2, 0, target 0"
        << likely_if(std::isnan(loss.item()),
                     "a logit of -inf makes the loss NaN, because 0 times -inf is NaN; put maximum(ln p, "
                     "lowest) before the product");
    ASSERT_TRUE(send_back(loss, Tensor::from({}, {1})));
    EXPECT_TRUE(gradient_close("the logits 1, -inf, 2, 0", logits,
                               Tensor::from({1, 4}, {-0.755272f, 0, 0.665241f, 0.090031f}), tight));
}

TEST(cross_entropy, the_gradient_of_large_logits_is_p_minus_target) {
    for (const std::vector<float>& row : {std::vector<float>{0, -1e4f, -2e4f}, {1e30f, -1e30f, 0}}) {
        const Tensor logits(Tensor::from({1, 3}, row).array(), true);
        ASSERT_TRUE(send_back(cross_entropy(logits, ids_of({1}, {1})), Tensor::from({}, {1})));
        EXPECT_TRUE(gradient_close(fmt::format("the logits {:g}", fmt::join(row, ", ")), logits,
                                   Tensor::from({1, 3}, {1, -1, 0}), tight));
    }
}

TEST(cross_entropy, a_model_without_any_idea_loses_ln_vocab) {
    for (const double s : {0.0, 0.1, 1.0}) {
        const float loss =
            cross_entropy(Tensor::full({2, 3, 7}, 0.5f), Ids(ids_of({2, 3}, {0, 6, 1, 3, 2, 4})), s).item();
        EXPECT_NEAR(loss, std::log(7.0f), 1e-5f) << "7 equal logits, label smoothing " << s;
    }
    EXPECT_NEAR(cross_entropy(Tensor::zeros({2, 1}), ids_of({2}, {0, 0}), 0.1).item(), 0.0f, 1e-6f)
        << "with a vocabulary of one token it is sure";
}

TEST(cross_entropy, takes_logits_of_any_rank) {
    ASSERT_TRUE(ignored_is_no_index());
    const Tensor flat = normal({24, 5}, 3);
    Ids targets = Ids::from_shape({24});
    for (std::size_t i = 0; i < 24; ++i) targets(i) = i % 7 == 6 ? ignored : static_cast<std::int64_t>(i % 5);
    const Tensor expected = cross_entropy(flat, targets, 0.1);
    for (const Shape& shape : {Shape{24}, Shape{4, 6}, Shape{2, 3, 4}}) {
        Shape of_logits = shape;
        of_logits.push_back(5);
        const Ids shaped = ids_of(shape, {targets.begin(), targets.end()});
        EXPECT_TRUE(close_named("logits " + to_string(of_logits),
                                cross_entropy(reshape(flat, of_logits), shaped, 0.1), expected, tight));
    }
    EXPECT_NEAR(cross_entropy(Tensor::zeros({4}), ids_of({}, {3})).item(), std::log(4.0f), 1e-5f)
        << "logits (4) and one target";
}

TEST(cross_entropy, refuses_what_can_not_be_compared) {
    const Tensor z = normal({2, 3}, 2);
    ASSERT_TRUE(std::isfinite(cross_entropy(z, ids_of({2}, {0, 2}), 1.0).item()))
        << "the last token and a label smoothing of 1 are no mistakes";
    const auto refused = [&](const std::vector<std::int64_t>& targets, double s, const std::string& named,
                             const std::string& what) {
        EXPECT_TRUE(
            refuses<ValueError>([&] { (void)cross_entropy(z, ids_of({2}, targets), s); }, {named}, what));
    };
    refused({0, 3}, 0, "3", "a target behind the vocabulary");
    refused({-1, 0}, 0, "-1", "a negative target that is not `ignored`");
    refused({ignored, ignored}, 0, "ignored", "a batch without any target");
    refused({0, 1}, -0.5, "-0.5", "a negative label smoothing");
    refused({0, 1}, 1.5, "1.5", "a label smoothing above 1");
    refused({0, 1}, std::numeric_limits<double>::quiet_NaN(), "nan|NaN", "a label smoothing of NaN");
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
