// tests/common/rng_test.cpp · the same numbers on every platform, against an independent implementation in Python
#include "common/base/rng.hpp"

#include <cmath>

#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// The golden file holds float32 only: a double is there as the exact sum of three floats.
std::vector<double> golden_doubles(const std::string& name) {
    const Tensor parts = Golden("common.safetensors")[name];
    std::vector<double> numbers(parts.size(0), 0.0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t part = 0; part < 3; ++part) numbers[i] += static_cast<double>(parts.at({i, part}));
    }
    return numbers;
}

TEST(rng, uniform_numbers_of_a_seed_are_known) {
    Rng rng(42);
    for (const double expected : golden_doubles("rng.uniform")) ASSERT_EQ(rng.uniform(), expected);
}

TEST(rng, normal_numbers_of_a_seed_are_known) {
    Rng rng(42);  // log and cos of two C libraries may differ in the last bit
    for (const double expected : golden_doubles("rng.normal")) ASSERT_NEAR(rng.normal(), expected, 1e-14);
}

TEST(rng, indices_and_arrays_of_a_seed_are_known) {
    const Golden golden("common.safetensors");
    Rng rng(7);
    const Tensor indices = golden["rng.below"];
    for (const float expected : indices.values())
        ASSERT_EQ(rng.below(10), static_cast<std::size_t>(expected));
    EXPECT_TRUE(
        close(Rng(7).uniform_array({2, 3}, -2.0, 3.0), golden["rng.uniform_array"].array(), {0.0, 0.0}));
}

TEST(rng, bernoulli_entries_of_a_seed_are_known) {
    const Golden golden("common.safetensors");
    Rng rng(7);
    for (const auto& [name, probability] :
         {std::pair("half", 0.5), std::pair("nine_tenths", 0.9), std::pair("rare", 0.01)}) {
        const Tensor expected = golden[std::string("rng.bernoulli.") + name];
        EXPECT_TRUE(close(rng.bernoulli_array(expected.shape(), probability), expected.array(), {0.0, 0.0}))
            << name;
    }
}

TEST(rng, the_same_seed_gives_the_same_numbers_and_another_seed_others) {
    Rng a(1), b(1), c(2);
    const double first = a.uniform();
    EXPECT_EQ(first, b.uniform());
    EXPECT_NE(first, c.uniform());
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

TEST(rng, refuses_a_text_that_is_no_state_and_keeps_its_own) {
    Rng rng(5), same(5);
    EXPECT_TRUE(refuses<ValueError>([&] { rng.set_state("no state"); }, {"Rng::set_state"}));
    EXPECT_TRUE(refuses<ValueError>([&] { rng.set_state(""); }, {"Rng::set_state"}));
    EXPECT_EQ(rng.uniform(), same.uniform());
}

// --- an Rng that draws nothing -------------------------------------------------------------------------------------

TEST(rng_zeros, fills_arrays_with_zeros_whatever_is_asked) {
    Rng none = Rng::zeros();
    EXPECT_TRUE(close(none.uniform_array({2, 3}, 1.0, 2.0), Tensor::zeros({2, 3}).array(), {0.0, 0.0}));
    EXPECT_TRUE(close(none.normal_array({4}, 5.0, 0.1), Tensor::zeros({4}).array(), {0.0, 0.0}));
    EXPECT_EQ(none.normal_array({0, 3}).size(), 0u);
}

TEST(rng_zeros, refuses_all_else_that_draws) {
    Rng none = Rng::zeros();
    const auto refused = [](const auto& draw) {
        return refuses<ValueError>(draw, {"this Rng draws nothing", "weights are loaded"});
    };
    EXPECT_TRUE(refused([&] { none.uniform(); }));
    EXPECT_TRUE(refused([&] { none.uniform(1.0, 2.0); }));
    EXPECT_TRUE(refused([&] { none.normal(); }));
    EXPECT_TRUE(refused([&] { none.below(3); }));
    EXPECT_TRUE(refused([&] { none.bernoulli(0.5); }));
    EXPECT_TRUE(refused([&] { none.bernoulli_array({2}, 0.5); }));
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

TEST(rng, below_stays_below_and_reaches_every_number) {
    Rng rng(3);
    std::vector<int> hits(7, 0);
    for (int i = 0; i < 70000; ++i) {
        const std::size_t drawn = rng.below(7);
        ASSERT_LT(drawn, 7u);
        ++hits[drawn];
    }
    for (const int count : hits) EXPECT_NEAR(count, 10000, 400);  // 4 standard deviations are 370
    for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0u);
    EXPECT_TRUE(refuses<ValueError>([&] { rng.below(0); }, {"Rng::below", "count is 0"}));
}

TEST(rng, uniform_stays_in_its_half_open_interval) {
    Rng rng(4);
    double total = 0.0, squares = 0.0;
    constexpr int count = 100000;
    for (int i = 0; i < count; ++i) {
        const double u = rng.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        total += u;
        squares += u * u;
    }
    EXPECT_NEAR(total / count, 0.5, 0.004);  // 4 standard deviations of the mean: 4 / sqrt(12 count)
    EXPECT_NEAR(squares / count, 1.0 / 3.0, 0.004);
}

TEST(rng, normal_has_the_moments_of_a_normal) {
    const Array x = Rng(6).normal_array({100000}, 3.0, 2.0);
    double sums[5] = {};
    for (const float value : x) {
        const double z = (static_cast<double>(value) - 3.0) / 2.0;
        for (int power = 1; power <= 4; ++power) sums[power] += std::pow(z, power);
    }
    const double count = static_cast<double>(x.size());
    EXPECT_NEAR(sums[1] / count, 0.0, 0.013);  // 4 standard deviations of each: 4 sqrt(var / count)
    EXPECT_NEAR(sums[2] / count, 1.0, 0.018);
    EXPECT_NEAR(sums[3] / count, 0.0, 0.049);
    EXPECT_NEAR(sums[4] / count, 3.0, 0.124);
}

// --- coins ------------------------------------------------------------------------------------------------------

// The correlation of two rows of 0 and 1, each of which is 1 with the given probability. For independent ones its standard
// deviation is 1 / sqrt(count).
double correlation(const float* a, const float* b, std::size_t count, double probability) {
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        total += (static_cast<double>(a[i]) - probability) * (static_cast<double>(b[i]) - probability);
    }
    return total / (static_cast<double>(count) * probability * (1.0 - probability));
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

TEST(rng, bernoulli_entries_do_not_depend_on_their_neighbours) {
    Rng rng(9);
    for (const double p : {0.5, 0.1}) {
        const Array x = rng.bernoulli_array({many + 8192}, p);
        for (const std::size_t lag : {1u, 2u, 3u, 4u, 8u, 16u, 32u, 64u, 768u, 4096u, 8192u}) {
            EXPECT_NEAR(correlation(x.data(), x.data() + lag, many, p), 0.0, four_deviations)
                << "lag " << lag;
        }
    }
}

TEST(rng, bernoulli_arrays_of_successive_calls_are_independent) {
    Rng rng(10), same(10);
    const Array first = rng.bernoulli_array({many}, 0.5), second = rng.bernoulli_array({many}, 0.5);
    EXPECT_NEAR(correlation(first.data(), second.data(), many, 0.5), 0.0, four_deviations);
    EXPECT_NEAR(correlation(first.data(), second.data() + 1, many - 1, 0.5), 0.0, four_deviations);
    EXPECT_EQ(same.bernoulli_array({many}, 0.5), first);
    EXPECT_EQ(same.bernoulli_array({many}, 0.5), second);
}

TEST(rng, coins_of_keys_that_differ_by_one_bit_are_independent) {
    Array rows[2] = {Array::from_shape({many}), Array::from_shape({many})};
    const auto fill = [](Array& row, std::uint64_t key) {
        const BernoulliSequence coin{key, std::uint64_t{1} << 52};  // a half
        for (std::size_t i = 0; i < many; ++i) row.data()[i] = coin(i) ? 1.0f : 0.0f;
    };
    fill(rows[0], 0);
    for (const std::uint64_t bit : {0u, 1u, 31u, 32u, 63u}) {
        fill(rows[1], std::uint64_t{1} << bit);
        EXPECT_NEAR(correlation(rows[0].data(), rows[1].data(), many, 0.5), 0.0, four_deviations) << bit;
    }
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

TEST(rng, refuses_a_probability_that_is_none) {
    Rng rng(12);
    EXPECT_TRUE(refuses<ValueError>([&] { rng.bernoulli_array({2}, 1.5); }, {"Rng::coins", "1.5", "[0, 1]"}));
    EXPECT_TRUE(refuses<ValueError>([&] { rng.bernoulli(-0.1); }, {"-0.1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { rng.bernoulli(std::nan("")); }, {"nan"}));
}

}  // namespace
}  // namespace tfs::test
