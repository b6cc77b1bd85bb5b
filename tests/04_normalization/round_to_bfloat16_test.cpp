// tests/04_normalization/round_to_bfloat16_test.cpp · step round_to_bfloat16: PyTorch's bits, properties, diagnosis
#include "tests/04_normalization/checklist.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

// Each value with its bits changed.
Tensor with_bits(const Tensor& x, const std::function<std::uint32_t(std::uint32_t)>& change) {
    std::vector<float> values;
    for (const float value : x.values())
        values.push_back(std::bit_cast<float>(change(std::bit_cast<std::uint32_t>(value))));
    return Tensor::from(x.shape(), values);
}

// Rounded to the nearest, ties to even, without its last `dropped` bits (here they are kept as they come out).
std::uint32_t carried(std::uint32_t bits, unsigned dropped) {
    return bits + ((1U << (dropped - 1U)) - 1U) + ((bits >> dropped) & 1U);
}

std::vector<Suspect> bfloat16_suspects(const Tensor& x) {
    const auto bits_suspect = [&](const std::string& message,
                                  const std::function<std::uint32_t(std::uint32_t)>& change) {
        return known(message, with_bits(x, change));
    };
    std::vector<Suspect> all{
        bits_suspect("the lower half is cut off, which always rounds towards zero; the nearest is wanted",
                     [](std::uint32_t bits) { return bits & 0xFFFF0000U; }),
        bits_suspect("a tie is rounded away from zero; of two equally near values the one whose last bit is "
                     "0 wins, and that bit is (bits >> 16) & 1",
                     [](std::uint32_t bits) { return (bits + 0x8000U) & 0xFFFF0000U; }),
        bits_suspect(
            "a tie is rounded towards zero; of two equally near values the one whose last bit is 0 wins",
            [](std::uint32_t bits) { return (bits + 0x7FFFU) & 0xFFFF0000U; }),
        bits_suspect("every value is rounded to the next one away from zero",
                     [](std::uint32_t bits) { return (bits + 0xFFFFU) & 0xFFFF0000U; }),
        known("nothing is rounded", x)};
    for (const unsigned dropped : {13U, 15U, 17U}) {
        const std::uint32_t kept = ~0U << dropped;
        const std::string message =
            fmt::format("{} bits are dropped, which leaves {} fraction bits{}; bfloat16 keeps 7: drop 16",
                        dropped, 23 - dropped, dropped == 13 ? ", those of float16" : "");
        all.push_back(bits_suspect(message, [=](auto bits) { return carried(bits, dropped) & kept; }));
        all.push_back(bits_suspect(message, [=](auto bits) { return bits & kept; }));
    }
    return all;
}

float rounded_one(float value) { return round_to_bfloat16(Tensor::from({1}, {value})).item(); }

// For what no suspect can tell: NaN equals nothing, and close to 0 all are equal.
std::string cause_of_single_values() {
    const auto after = [](float value) { return std::bit_cast<std::uint32_t>(rounded_one(value)); };
    const float one = rounded_one(1.0f), pi = 3.14159265f, tiny = 1e-39f;
    const std::uint32_t bits_of_pi = std::bit_cast<std::uint32_t>(pi);
    if (after(pi) == bits_of_pi >> 16U)
        return "the upper 16 bits are shifted down and stay there: << 16 brings them back to where a float "
               "has its sign and exponent";
    if (after(pi) == (carried(bits_of_pi, 16) & 0xFFFFU) || after(pi) == (bits_of_pi & 0xFFFFU))
        return "the lower 16 bits are kept and the upper ones cleared; the upper ones stay: & 0xFFFF0000";
    if (!(one > 0.5f && one < 2.0f))
        return "the number is converted, not its bits: std::bit_cast gives the bits";
    if (after(pi) == carried(bits_of_pi, 16)) return "the lower 16 bits are not cleared: & 0xFFFF0000";
    if (after(1.006f) != 0x3f810000U) return "";
    if (after(pi) == bits_of_pi)
        return "the lower 16 bits are not cleared where the value is rounded down: & 0xFFFF0000";
    if (!std::isfinite(rounded_one(1e38f)))
        return "arithmetic with a large value overflows: round its bits (std::bit_cast), not the number";
    if (rounded_one(tiny) == 0.0f)
        return "subnormal numbers (below 1.2e-38) become 0; they are rounded like all others";
    if ((after(tiny) & 0xFFFFU) != 0 && (after(pi) & 0xFFFFU) == 0)
        return "subnormal numbers (below 1.2e-38) keep 8 significant bits, more than they have: their "
               "last bit always stands for 2^-133; round the bits (std::bit_cast), not the number";
    return "";
}

TEST(round_to_bfloat16, equals_pytorch_bit_for_bit) {
    const Tensor x = golden()["bfloat16.x"];
    const std::string cause = cause_of_single_values();
    EXPECT_TRUE(close(round_to_bfloat16(x), golden()["bfloat16.output"], {0, 0}, bfloat16_suspects(x)))
        << likely_if(!cause.empty(), cause);
}

// As exact bits: a test of values would call 0 and -0 equal, and would see neither a lost tie nor a lost NaN.
TEST(round_to_bfloat16, ties_go_to_the_even_neighbour_and_zeros_keep_their_sign) {
    const auto rounded = [](std::uint32_t bits) {
        const Tensor y = round_to_bfloat16(Tensor::from({1}, {std::bit_cast<float>(bits)}));
        return fmt::format("{:08x}", std::bit_cast<std::uint32_t>(y.item()));
    };
    const std::string down = rounded(0x3f808000U), up = rounded(0x3f818000U);
    EXPECT_EQ(down, "3f800000") << likely_if(down == "3f810000",
                                             "half way above an even value: it must go down");
    EXPECT_EQ(up, "3f820000") << likely_if(up == "3f810000", "half way above an odd value: it must go up");
    EXPECT_EQ(rounded(0xbf808000U), "bf800000");
    const std::string below = rounded(0x3f817fffU);  // an odd value and a bit less than half a step
    EXPECT_EQ(below, "3f810000") << likely_if(
        below == "3f820000" && rounded(0x3f810001U) == "3f810000",
        "what lies just below half way goes up: 1 too much is added; 0x7FFF and the last kept bit is right");
    EXPECT_EQ(rounded(0x80000000U), "80000000") << likely_if(
        rounded(0x80000000U) == "00000000" && rounded(0x3f800000U) == "3f800000", "-0 loses its sign");
    const std::string largest = rounded(0x7f7fffffU);  // the largest float lies half a step beyond
    EXPECT_EQ(largest, "7f800000") << likely_if(
        largest == "7f7f0000",
        "the largest bfloat16 is given for what lies half a step or more beyond it; that must be infinity");
}

// What was probably done to a NaN that did not become the quiet one.
std::string nan_mistake(std::uint32_t found) {
    const std::string quiet = "return std::numeric_limits<float>::quiet_NaN() for every NaN";
    if (!std::isnan(std::bit_cast<float>(found)))
        return "a carry, or the cut, turns NaN into infinity or zero: test for NaN first";
    if ((found & 0xFFFFU) != 0) return "NaN is returned with its lower 16 bits: " + quiet;
    if ((found & 0x400000U) == 0)
        return "a signalling NaN is returned, its highest fraction bit is 0: " + quiet;
    if ((found & 0x80000000U) != 0) return "a negative NaN is returned: " + quiet;
    return "NaN keeps fraction bits of its own: " + quiet;
}

TEST(round_to_bfloat16, every_nan_becomes_the_quiet_one) {
    for (const std::uint32_t bits : {0x7FC00000U, 0x7F800001U, 0x7FFFFFFFU, 0xFF800001U, 0xFFFFFFFFU}) {
        const Tensor y = round_to_bfloat16(Tensor::from({1}, {std::bit_cast<float>(bits)}));
        const auto found = std::bit_cast<std::uint32_t>(y.item());
        if (found == 0x7FC00000U) continue;
        FAIL() << fmt::format("NaN with the bits {:08x} became {:08x}, expected 7fc00000", bits, found)
               << likely_if(true, nan_mistake(found));
    }
    const Tensor y = round_to_bfloat16(Tensor::from({3}, {1.0f, infinity, -infinity}));
    EXPECT_FALSE(contains_nan(y)) << likely_if(
        y.at({0}) == 1.0f && std::isfinite(rounded_one(1e38f)),
        "an infinity becomes NaN: only std::isnan is to be treated apart, infinities stay");
}

TEST(round_to_bfloat16, the_error_is_at_most_half_a_step_and_twice_is_once) {
    const Tensor x = normal({40, 50}, 23, 0.0, 100.0);
    const Tensor y = round_to_bfloat16(x);
    EXPECT_TRUE(close(y, x, {std::pow(2.0, -8), 0}))
        << "8 significant bits: the relative error is at most 2^-8";
    EXPECT_TRUE(close(round_to_bfloat16(y), y, {0, 0}));
}

TEST(round_to_bfloat16, the_gradient_passes_straight_through) {
    const Tensor x(normal({3, 4}, 24).array(), true), upstream = normal({3, 4}, 25);
    ASSERT_TRUE(send_back(round_to_bfloat16(x), upstream));
    EXPECT_TRUE(gradient_close("x", x, upstream, {0, 0}));
}

}  // namespace
}  // namespace tfs::test
