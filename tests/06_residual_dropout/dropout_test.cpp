// tests/06_residual_dropout/dropout_test.cpp · step dropout: PyTorch's values, properties
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/06_residual_dropout/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"

namespace tfs::test {
namespace {

struct Case {
    std::string name;
    double p;
    std::uint64_t seed;
};
const std::vector<Case> cases{{"tenth", 0.1, 11}, {"third", 0.3, 12}, {"most", 0.9, 13}};

// Not only its values: nothing is computed, and nothing recorded.
testing::AssertionResult is_itself(const Tensor& y, const Tensor& x) {
    const testing::AssertionResult equal = close(y, x, {0, 0});
    if (!equal || &y.array() == &x.array()) return equal;
    return testing::AssertionFailure() << "the result is a copy of x; it must be x itself"
                                       << came(y.requires_grad() ? "recorded" : "not recorded");
}

// How many numbers Rng(seed) has drawn, at most 99.
std::size_t draws(const Rng& rng, std::uint64_t seed) {
    Rng other(seed);
    std::size_t count = 0;
    for (; count < 99 && other.state() != rng.state(); ++count) other.uniform();
    return count;
}

TEST(dropout, equals_pytorch_with_the_documented_mask) {
    const Tensor x = golden()["dropout.x"];
    for (const Case& c : cases) {
        Rng rng(c.seed);
        EXPECT_TRUE(close_named(fmt::format("p = {}", c.p), dropout(x, c.p, &rng),
                                golden()["dropout." + c.name + ".output"], {1e-6, 0}));
    }
}

TEST(dropout, a_second_call_draws_a_new_mask) {
    const Tensor x = golden()["dropout.x"];
    for (const Case& c : cases) {
        Rng rng(c.seed);
        dropout(x, c.p, &rng);
        EXPECT_TRUE(close_named(fmt::format("p = {}, second call", c.p), dropout(x, c.p, &rng),
                                golden()["dropout." + c.name + ".second_output"], {1e-6, 0}));
    }
}

TEST(dropout, sends_the_gradient_of_pytorch) {
    for (const Case& c : cases) {
        const Tensor x = leaf("dropout.x");
        Rng rng(c.seed);
        ASSERT_TRUE(send_back(dropout(x, c.p, &rng), golden()["dropout." + c.name + ".grad_weights"]));
        EXPECT_TRUE(gradient_close("x", x, golden()["dropout." + c.name + ".grad_x"], {1e-6, 0}));
    }
}

TEST(dropout, agrees_with_finite_differences) {
    const auto f = [](const std::vector<Tensor>& in) {
        Rng rng(3);  // the same mask at every call
        return dropout(in[0], 0.4, &rng);
    };
    EXPECT_TRUE(gradients_match(f, {normal({3, 5}, 1)}));
}

TEST(dropout, evaluation_is_the_identity) {
    const Tensor x = leaf("dropout.x");
    EXPECT_TRUE(is_itself(dropout(x, 0.3, nullptr), x));
}

TEST(dropout, p_of_zero_is_the_identity_and_draws_nothing) {
    const Tensor x = leaf("dropout.x");
    Rng rng(4);
    EXPECT_TRUE(is_itself(dropout(x, 0.0, &rng), x));
    EXPECT_EQ(draws(rng, 4), 0u) << "numbers drawn where nothing is dropped";
}

TEST(dropout, takes_one_draw_of_the_generator_for_a_tensor_of_any_size) {
    const std::vector<Shape> shapes{{4, 3}, {2, 3, 5}, {1}};
    for (const Shape& shape : shapes) {
        Rng rng(5);
        dropout(normal(shape, 2), 0.5, &rng);
        EXPECT_EQ(draws(rng, 5), 1u) << "numbers drawn for a tensor " << to_string(shape);
    }
}

TEST(dropout, mean_and_variance_are_those_of_the_formula_in_the_long_run) {
    constexpr std::size_t count = 200000;
    Rng rng(6);
    const Tensor x = Tensor::full({count}, 2.0f);
    for (const double p : {0.1, 0.5, 0.8}) {
        const Tensor y = dropout(x, p, &rng);
        const double expected = 4.0 * p / (1.0 - p);  // x^2 p / (1 - p)
        EXPECT_NEAR(mean(y).item(), 2.0, 4.0 * std::sqrt(expected / count)) << "the mean at p = " << p;
        EXPECT_NEAR(variance(y, 0).item(), expected, 0.03 * expected) << "the variance at p = " << p;
    }
}

TEST(dropout, an_empty_batch_and_a_scalar_are_no_special_cases) {
    Rng rng(7);
    EXPECT_EQ(dropout(Tensor::zeros({0, 4, 6}), 0.5, &rng).shape(), (Shape{0, 4, 6}));
    for (const std::uint64_t seed : {7u, 8u, 9u, 10u}) {
        Rng coin(seed);
        EXPECT_TRUE(
            close(dropout(Tensor::full({}, 3.0f), 0.4, &coin), dropped(Tensor::full({}, 3.0f), seed, 0.4)));
    }
}

TEST(dropout, refuses_a_p_outside_of_its_range) {
    const Tensor x = Tensor::ones({3});
    expect_rates_refused([&](double rate, Rng* rng) { dropout(x, rate, rng); });
}

}  // namespace
}  // namespace tfs::test
