// tests/05_feed_forward/exclusive_or_test.cpp · puzzle exclusive_or: what the network answers
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr double margin = 0.1;
const Tensor four_inputs = Tensor::from({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1});

using Answers = std::array<double, 4>;
constexpr Answers wanted{0, 1, 1, 0};

// Feature `feature` of the result, for each of the four inputs.
Answers answers_of(const FeedForward& network, std::size_t feature = 0) {
    const Tensor result = network(four_inputs);
    Answers answers{};
    for (std::size_t i = 0; i < answers.size(); ++i) answers[i] = result.at({i, feature});
    return answers;
}

bool agree(const Answers& a, const Answers& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= margin)) return false;
    return true;
}

bool off_by_one_number(const Answers& answers) {
    Answers moved = wanted;
    for (double& answer : moved) answer += answers[0];
    return agree(answers, moved);
}

Answers with_transposed_down(FeedForward network) {
    network.down.weight = transpose(network.down.weight, 0, 1);
    return answers_of(network);
}

// 0 for what is linear in the two features.
double bend(const Answers& a) { return a[0] + a[3] - a[1] - a[2]; }

// The answers are what is wanted, times a number.
std::string only_scaled(const Answers& a) {
    if (std::abs(a[1]) <= margin || agree(a, wanted)) return "";
    const double times = a[1];
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] / times - wanted[i]) <= 1e-3)) return "";
    return fmt::format("all answers are {:.3g} times what is wanted: divide row 0 of down.weight by it",
                       times);
}

// The numbers are right for relu, and the network has another activation.
std::string right_for_relu(FeedForward network) {
    if (network.activation == Activation::relu) return "";
    network.activation = Activation::relu;
    if (!agree(answers_of(network), wanted)) return "";
    return "these numbers are right for relu, and network.activation is another one, which bends softly near "
           "0: set it to Activation::relu, or find other numbers";
}

// Only two ones get a wrong answer, which is more than an or, and no count.
std::string wrong_for_two_ones(const Answers& a) {
    if (!agree({a[0], a[1], a[2], 0}, wanted) || std::abs(a[3]) <= margin || agree(a, {0, 1, 1, 1}) ||
        agree(a, {0, 1, 1, 2}))
        return "";
    return fmt::format(
        "only (1, 1) gets a wrong answer, {:.3g}; it must give 0: look at what each hidden unit gives for "
        "(1, 1), and at its weight in row 0 of down.weight",
        a[3]);
}

// What each hidden unit gives for the four inputs.
std::vector<Answers> units_of(const FeedForward& network) {
    const Tensor hidden = network.hidden(four_inputs);
    std::vector<Answers> units(hidden.size(-1));
    for (std::size_t unit = 0; unit < units.size(); ++unit)
        for (std::size_t i = 0; i < wanted.size(); ++i) units[unit][i] = hidden.at({i, unit});
    return units;
}

// A weight that still has the random numbers with which the network was made.
std::string left_as_drawn(const FeedForward& network) {
    Rng rng(0);
    const FeedForward drawn(2, 2, rng, Activation::relu);
    for (const auto& [name, own, other] :
         {std::tuple{"up.weight", &network.up.weight, &drawn.up.weight},
          std::tuple{"down.weight", &network.down.weight, &drawn.down.weight}})
        if (own->shape() == other->shape() && close(*own, *other, {0, 0}))
            return fmt::format("{} still has the random numbers with which it was made: set it", name);
    return "";
}

std::string silent_unit(const std::vector<Answers>& units) {
    for (std::size_t unit = 0; unit < units.size(); ++unit)
        if (std::all_of(units[unit].begin(), units[unit].end(), [](double h) { return h == 0.0; }))
            return fmt::format(
                "hidden unit {} never fires: it is 0 for all four inputs; look at its row of up.weight and "
                "at "
                "its bias",
                unit);
    return "";
}

// Why the answers are those of a linear network.
std::string flat_cause(const std::vector<Answers>& units) {
    const std::string sums =
        "the answers to (0, 0) and (1, 1) have the same sum as those to (0, 1) and (1, 0)";
    const bool bends = std::any_of(units.begin(), units.end(),
                                   [](const Answers& unit) { return std::abs(bend(unit)) > 1e-3; });
    return bends ? "the units bend, but with these numbers in row 0 of down.weight their bends cancel, as in "
                   "relu(z) - relu(-z) = z; the network is linear, and " +
                       sums
                 : "no unit bends on these four inputs, so the network is linear, and " + sums;
}

std::string causes(const FeedForward& network, const Answers& answers) {
    if (const std::string cause = left_as_drawn(network); !cause.empty()) return likely_if(true, cause);
    const std::vector<Answers> units = units_of(network);
    for (const std::string& cause : {silent_unit(units), only_scaled(answers), right_for_relu(network)})
        if (!cause.empty()) return likely_if(true, cause);
    const std::string two_ones = wrong_for_two_ones(answers);
    const bool equal = agree(answers, {1, 0, 0, 1}), square = network.down.weight.shape() == Shape{2, 2};
    const bool turned = square && agree(with_transposed_down(network), wanted);
    const bool other_feature = agree(answers_of(network, 1), wanted), count = agree(answers, {0, 1, 1, 2});
    const bool flat = std::abs(bend(answers)) <= 1e-3 && !turned && !other_feature && !count;
    return likely_if(agree(answers, {0, 1, 1, 1}),
                     "this is an or: two ones must give 0, so take more of the unit that fires for them") +
           likely_if(agree(answers, {0, 0, 0, 1}), "this is an and: only two ones give 1") +
           likely_if(equal, "the answers are exchanged: 1 must mean that the features differ") +
           likely_if((agree(answers, {0, 1, 0, 0}) || agree(answers, {0, 0, 1, 0})) && !turned,
                     "this is one half: only one of (0, 1) and (1, 0) gives 1; one unit sees the one, and a "
                     "second unit, which counts in row 0 of down.weight, must see the other") +
           likely_if(
               count && !turned,
               "this counts the ones: take away, in row 0 of down.weight, what makes the 2 of two ones") +
           likely_if(other_feature, "the answer is in feature 1; it must be in feature 0") +
           likely_if(turned, "down.weight is transposed: its row 0 makes feature 0, a column for each unit") +
           likely_if(!equal && off_by_one_number(answers),
                     "all four answers are off by the same number: look at the bias of down") +
           likely_if(flat, flat_cause(units)) +
           likely_if(!turned && !other_feature && !flat && !two_ones.empty(), two_ones);
}

// Nothing, and a failure, where the widths are not 2, at most 2, and 2.
std::optional<FeedForward> written() {
    const FeedForward network = exclusive_or();
    const std::size_t units = network.up.weight.size(0);
    if (units > 2) {
        ADD_FAILURE() << fmt::format("the network has {} hidden units; two are allowed", units);
        return std::nullopt;
    }
    return result_or_failure(
        [&] {
            (void)network(four_inputs).at({3, 1});
            return network;
        },
        [](const ShapeError&) {
            return likely_if(true, "up.weight is (hidden units, 2), down.weight (2, hidden units)");
        });
}

TEST(exclusive_or, is_right_on_all_four_inputs) {
    const std::optional<FeedForward> network = written();
    if (!network) return;
    const Answers answers = answers_of(*network);
    std::string told;
    for (std::size_t i = 0; i < answers.size(); ++i)
        told += fmt::format("({}, {}) gives {:.3g}, wanted {}\n", four_inputs.at({i, 0}),
                            four_inputs.at({i, 1}), answers[i], wanted[i]);
    EXPECT_TRUE(agree(answers, wanted)) << told << causes(*network, answers);
}

TEST(exclusive_or, is_right_on_a_batch) {
    const std::optional<FeedForward> network = written();
    if (!network) return;
    Rng rng(7);
    Array bits = rng.normal_array({5, 8, 2});
    for (float& bit : bits) bit = bit > 0.0f ? 1.0f : 0.0f;
    const Tensor x(bits), result = (*network)(x);
    ASSERT_TRUE(has_shape(result, {5, 8, 2}));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < x.size(); i += 2) {
        const float expected = x.values()[i] != x.values()[i + 1] ? 1.0f : 0.0f;
        if (!(std::abs(result.values()[i] - expected) <= margin)) ++wrong;
    }
    EXPECT_EQ(wrong, 0u) << fmt::format("{} of {} tokens get a wrong answer", wrong, x.size() / 2);
}

}  // namespace
}  // namespace tfs::test
