// tests/common/rng_test.cpp · the same numbers on every platform, against an independent implementation in Python
#include "common/base/rng.hpp"

#include <cmath>

#include "common/tensor.hpp"
#include "tests/common/expect_error.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

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

TEST(Rng, UniformNumbersOfASeedAreKnown) {
    Rng rng(42);
    for (const double expected : golden_doubles("rng.uniform")) ASSERT_EQ(rng.uniform(), expected);
}

TEST(Rng, NormalNumbersOfASeedAreKnown) {
    Rng rng(42);  // log and cos of two C libraries may differ in the last bit
    for (const double expected : golden_doubles("rng.normal")) ASSERT_NEAR(rng.normal(), expected, 1e-14);
}

TEST(Rng, IndicesAndArraysOfASeedAreKnown) {
    const Golden golden("common.safetensors");
    Rng rng(7);
    const Tensor indices = golden["rng.below"];
    for (const float expected : indices.values())
        ASSERT_EQ(rng.below(10), static_cast<std::size_t>(expected));
    EXPECT_TRUE(
        close(Rng(7).uniform_array({2, 3}, -2.0, 3.0), golden["rng.uniform_array"].array(), {0.0, 0.0}));
}

TEST(Rng, TheSameSeedGivesTheSameNumbersAndAnotherSeedOthers) {
    Rng a(1), b(1), c(2);
    const double first = a.uniform();
    EXPECT_EQ(first, b.uniform());
    EXPECT_NE(first, c.uniform());
}

TEST(Rng, ResumesFromItsState) {
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

TEST(Rng, RefusesATextThatIsNoStateAndKeepsItsOwn) {
    Rng rng(5), same(5);
    expect_error<ValueError>([&] { rng.set_state("no state"); }, {"Rng::set_state"});
    expect_error<ValueError>([&] { rng.set_state(""); }, {"Rng::set_state"});
    EXPECT_EQ(rng.uniform(), same.uniform());
}

TEST(Rng, BelowStaysBelowAndReachesEveryNumber) {
    Rng rng(3);
    std::vector<int> hits(7, 0);
    for (int i = 0; i < 70000; ++i) {
        const std::size_t drawn = rng.below(7);
        ASSERT_LT(drawn, 7u);
        ++hits[drawn];
    }
    for (const int count : hits) EXPECT_NEAR(count, 10000, 400);  // 4 standard deviations are 370
    for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0u);
    expect_error<ValueError>([&] { rng.below(0); }, {"Rng::below", "count is 0"});
}

TEST(Rng, UniformStaysInItsHalfOpenInterval) {
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

TEST(Rng, NormalHasTheMomentsOfANormal) {
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

}  // namespace
}  // namespace tfs::test
