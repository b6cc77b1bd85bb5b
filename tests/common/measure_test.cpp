// tests/common/measure_test.cpp · differences that a program reports, and times in turns
#include "common/measure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <omp.h>

#include "tests/common/environment.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(largest_difference, is_that_of_the_entries_furthest_apart_and_never_small_where_one_is_nan) {
    EXPECT_DOUBLE_EQ(largest_difference(Array{1.0f, 2.0f, 3.0f}, Array{1.0f, 4.5f, 2.0f}), 2.5);
    EXPECT_EQ(largest_difference(Array{1.0f, 2.0f}, Array{1.0f, 2.0f}), 0.0);
    EXPECT_TRUE(std::isinf(largest_difference(Array{1.0f, nan}, Array{1.0f, 2.0f})));
    EXPECT_TRUE(std::isinf(largest_difference(Array{nan, 1.0f}, Array{nan, 1.0f})));
    EXPECT_TRUE(std::isinf(largest_difference(Array{1.0f, 2.0f}, Array{1.0f}))) << "other shapes";
    EXPECT_TRUE(std::isinf(largest_difference(Array{{1.0f, 2.0f}}, Array{1.0f, 2.0f})));
}

TEST(measures, of_sizes_angles_and_entropies) {
    const std::vector<float> a{1.0f, 2.0f}, b{10.0f, 20.0f}, c{-2.0f, 1.0f}, zero{0.0f, 0.0f};
    EXPECT_DOUBLE_EQ(root_mean_square(std::vector<float>{3.0f, -4.0f, 0.0f, 0.0f}), 2.5);
    EXPECT_DOUBLE_EQ(dot(a, b), 50.0);
    EXPECT_DOUBLE_EQ(cosine(a, b), 1.0);
    EXPECT_DOUBLE_EQ(cosine(a, c), 0.0);
    EXPECT_TRUE(std::isnan(cosine(a, zero)));
    const Tensor weights = Tensor::from({1, 2, 4}, {0.25f, 0.25f, 0.25f, 0.25f, 0.0f, 1.0f, 0.0f, 0.0f});
    EXPECT_NEAR(mean_entropy(weights), std::log(4.0) / 2.0, 1e-7);
}

// ---- times, by a clock that the test turns itself -------------------------------------------------------------

// A thing that takes so many seconds at each of its calls; the last one again and again.
struct Machine {
    double now = 100.0;
    std::string calls = {};

    std::function<void()> thing(char name, std::vector<double> takes) {
        return [this, name, takes, call = std::size_t{0}]() mutable {
            calls += name;
            now += takes[std::min(call++, takes.size() - 1)];
        };
    }
    Clock clock() {
        return [this] { return now; };
    }
};

TEST(quartiles, lie_between_neighbours) {
    const Quartiles two = quartiles({2.0, 1.0});
    EXPECT_DOUBLE_EQ(two.low, 1.25);
    EXPECT_DOUBLE_EQ(two.median, 1.5);
    EXPECT_DOUBLE_EQ(two.high, 1.75);
    EXPECT_DOUBLE_EQ(quartiles({7.0}).low, 7.0);
    EXPECT_TRUE(refuses<ValueError>([] { quartiles({}); }, {"no number"}));
}

TEST(measure_in_turns, calls_each_thing_once_to_warm_up_and_then_in_turns) {
    Machine machine;
    const Rounds rounds = measure_in_turns({machine.thing('a', {1.0}), machine.thing('b', {2.0})},
                                           {.rounds = 3, .seconds = 0.5}, machine.clock());
    EXPECT_EQ(machine.calls, "abababab");
    EXPECT_EQ(rounds, (Rounds{{1.0, 1.0, 1.0}, {2.0, 2.0, 2.0}}));
}

TEST(measure_in_turns, repeats_a_short_thing_until_its_turn_is_over) {
    Machine machine;
    (void)measure_in_turns({machine.thing('a', {0.25}), machine.thing('b', {1.0})},
                           {.rounds = 2, .seconds = 1.0}, machine.clock());
    EXPECT_EQ(machine.calls, "abaaaabaaaab");
}

TEST(measure_in_turns, calls_each_thing_once_if_nobody_looks_at_the_times) {
    const Variable once("TFS_TIMES", "once");
    Machine machine;
    (void)measure_in_turns({machine.thing('a', {0.001})}, usual_turns({.rounds = 7}), machine.clock());
    EXPECT_EQ(machine.calls, "a");
}

TEST(measure_in_turns, keeps_the_shortest_call_of_each_round) {
    Machine machine;
    const Rounds rounds = measure_in_turns({machine.thing('a', {9.0, 0.5, 0.25, 0.5, 1.0})},
                                           {.rounds = 2, .seconds = 1.0}, machine.clock());
    EXPECT_EQ(rounds, (Rounds{{0.25, 1.0}}));
}

TEST(measure_in_turns, uses_one_core_unless_told_otherwise_and_gives_the_others_back) {
    const int all = omp_get_max_threads();
    int in_turn = 0;
    (void)measure_in_turns({[&] { in_turn = omp_get_max_threads(); }}, {.rounds = 1, .seconds = 0.0});
    EXPECT_EQ(in_turn, 1);
    EXPECT_THROW(measure_in_turns({[] { throw NotImplemented("0.2 matmul_loops"); }}), NotImplemented);
    EXPECT_EQ(omp_get_max_threads(), all);
    (void)measure_in_turns({[&] { in_turn = omp_get_max_threads(); }},
                           {.rounds = 1, .seconds = 0.0, .one_core = false});
    EXPECT_EQ(in_turn, all);
}

TEST(ratio_and_rate, compare_times_of_one_round) {
    // The machine is three times as slow in the second round, for both alike.
    const Quartiles spread = ratio({4.0, 12.0, 4.0}, {1.0, 3.0, 1.0});
    EXPECT_DOUBLE_EQ(spread.low, 4.0);
    EXPECT_DOUBLE_EQ(spread.high, 4.0);
    EXPECT_DOUBLE_EQ(rate(6.0, {2.0, 3.0, 6.0}).median, 2.0);
    EXPECT_TRUE(refuses<ValueError>([] { ratio({1.0}, {1.0, 2.0}); }, {"1", "2"}));
}

TEST(texts_of_times, give_the_median_with_its_spread_or_say_noisy) {
    EXPECT_FALSE(too_noisy({1.0, 1.2, 1.5}));
    EXPECT_TRUE(too_noisy({1.0, 1.2, 1.51}));
    EXPECT_TRUE(too_noisy({std::nan(""), 1.0, 1.0}));
    EXPECT_EQ(ratio_text({3.7, 3.9, 4.2}), "3.9 x (3.7 to 4.2)");
    EXPECT_EQ(ratio_text({0.241, 0.245, 0.251}), "0.24 x (0.24 to 0.25)");
    EXPECT_EQ(ratio_text({44.6, 50.2, 52.0}), "50 x (45 to 52)");
    EXPECT_EQ(ratio_text({1.9, 2.5, 4.2}), "too noisy to tell (1.9 to 4.2)");
    EXPECT_EQ(median_text({0.033, 0.03312, 0.034}), "0.0331");
    EXPECT_EQ(median_text({1.6, 1.6, 1.6}), "1.60");
    EXPECT_EQ(median_text({32000.0, 32887.0, 33000.0}), "32887");
    EXPECT_EQ(median_text({1.0, 2.0, 3.0}), "noisy");
}

}  // namespace
}  // namespace tfs::test
