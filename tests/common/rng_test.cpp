// tests/common/rng_test.cpp · the same numbers on every platform, against an independent implementation in Python
#include "common/base/rng.hpp"

#include <cmath>
#include <utility>

#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// The golden file holds float32 only: a double is there as the exact sum of three floats.
std::vector<double> golden_doubles(const std::string& name) {
    const Tensor parts = golden()[name];
    std::vector<double> numbers(parts.size(0), 0.0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t part = 0; part < 3; ++part) numbers[i] += static_cast<double>(parts.at({i, part}));
    }
    return numbers;
}

TEST(rng, numbers_of_a_seed_are_known) {
    Rng uniform(42), normal(42), below(7), coins(7);
    for (const double expected : golden_doubles("rng.uniform")) ASSERT_EQ(uniform.uniform(), expected);
    // log and cos of two C libraries may differ in the last bit.
    for (const double expected : golden_doubles("rng.normal")) ASSERT_NEAR(normal.normal(), expected, 1e-14);
    for (const float expected : golden()["rng.below"].values())
        ASSERT_EQ(below.below(10), static_cast<std::size_t>(expected));
    EXPECT_TRUE(
        close(Rng(7).uniform_array({2, 3}, -2.0, 3.0), golden()["rng.uniform_array"].array(), {0.0, 0.0}));
    for (const auto& [name, probability] :
         {std::pair("half", 0.5), std::pair("nine_tenths", 0.9), std::pair("rare", 0.01)}) {
        const Tensor expected = golden()[std::string("rng.bernoulli.") + name];
        EXPECT_TRUE(close(coins.bernoulli_array(expected.shape(), probability), expected.array(), {0.0, 0.0}))
            << name;
    }
}

TEST(rng, resumes_from_its_state) {
    Rng rng(5);
    for (int i = 0; i < 1000; ++i) rng.normal();
    const std::string state = rng.state();
    const double next = rng.normal();
    Rng other(99);
    other.normal();
    other.set_state(state);
    EXPECT_EQ(other.normal(), next);
    EXPECT_EQ(other.uniform(), rng.uniform());
}

TEST(rng, refuses_what_makes_no_sense) {
    Rng rng(5), same(5);
    expect_refused<ValueError>({{[&] { rng.set_state("no state"); }, {"Rng::set_state"}},
                                {[&] { rng.set_state(""); }, {"Rng::set_state"}},
                                {[&] { rng.below(0); }, {"Rng::below", "count is 0"}},
                                {[&] { rng.bernoulli_array({2}, 1.5); }, {"Rng::coins", "1.5", "[0, 1]"}},
                                {[&] { rng.bernoulli(-0.1); }, {"-0.1"}},
                                {[&] { rng.bernoulli(std::nan("")); }, {"nan"}}});
    EXPECT_EQ(rng.uniform(), same.uniform()) << "it keeps its own state";
}

TEST(rng_zeros, fills_arrays_with_zeros_and_refuses_all_else_that_draws) {
    Rng none = Rng::zeros();
    EXPECT_TRUE(close(none.uniform_array({2, 3}, 1.0, 2.0), Tensor::zeros({2, 3}).array(), {0.0, 0.0}));
    EXPECT_TRUE(close(none.normal_array({4}, 5.0, 0.1), Tensor::zeros({4}).array(), {0.0, 0.0}));
    const std::vector<std::string> named{"this Rng draws nothing", "weights are loaded"};
    expect_refused<ValueError>({{[&] { none.uniform(); }, named},
                                {[&] { none.normal(); }, named},
                                {[&] { none.below(3); }, named},
                                {[&] { none.bernoulli(0.5); }, named},
                                {[&] { none.bernoulli_array({2}, 0.5); }, named}});
}

TEST(rng_zeros, has_a_state_that_turns_another_into_it_and_takes_that_of_another) {
    Rng none = Rng::zeros(), other(3), same(3);
    const std::string state = other.state();
    other.set_state(none.state());
    EXPECT_EQ(other.normal_array({1})(0), 0.0f);
    EXPECT_EQ(other.state(), none.state());
    none.set_state(state);
    EXPECT_EQ(none.uniform(), same.uniform());
}

constexpr std::size_t many = 200000;
constexpr double four_deviations = 4.0 / 447.2;  // of a mean of so many values with variance 1

TEST(rng, bernoulli_entries_are_one_with_their_probability) {
    Rng rng(8);
    for (const double p : {0.5, 0.1, 0.9, 0.999, 1e-4}) {
        const Array x = rng.bernoulli_array({many}, p);
        double ones = 0.0;
        for (const float value : x) {
            ASSERT_TRUE(value == 0.0f || value == 1.0f);
            ones += static_cast<double>(value);
        }
        EXPECT_NEAR(ones / many, p, four_deviations * std::sqrt(p * (1.0 - p))) << p;
    }
    for (const float value : rng.bernoulli_array({1000}, 0.0)) ASSERT_EQ(value, 0.0f);
    for (const float value : rng.bernoulli_array({1000}, 1.0)) ASSERT_EQ(value, 1.0f);
}

TEST(rng, a_bernoulli_array_takes_one_draw_and_entry_i_is_coin_i) {
    Rng rng(11), coins(11), draws(11);
    const Array x = rng.bernoulli_array({3, 50001}, 0.3);  // filled in parallel
    const BernoulliSequence coin = coins.bernoulli(0.3);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x.data()[i], coin(i) ? 1.0f : 0.0f) << i;
    draws.uniform();
    EXPECT_EQ(rng.state(), draws.state());
    EXPECT_EQ(rng.bernoulli_array({0, 4}, 0.3).size(), 0u);
}

}  // namespace
}  // namespace tfs::test
