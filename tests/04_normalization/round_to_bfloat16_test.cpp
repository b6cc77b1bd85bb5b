// tests/04_normalization/round_to_bfloat16_test.cpp · round_to_bfloat16, given: PyTorch's bits, ties, NaN, the gradient
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "chapters/04_normalization/normalization.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

std::string rounded(std::uint32_t bits) {
    const Tensor y = round_to_bfloat16(Tensor::from({1}, {std::bit_cast<float>(bits)}));
    return fmt::format("{:08x}", std::bit_cast<std::uint32_t>(y.item()));
}

TEST(round_to_bfloat16, equals_pytorch) {
    EXPECT_TRUE(close(round_to_bfloat16(golden()["bfloat16.x"]), golden()["bfloat16.output"], {0, 0}));
}

// As exact bits: a test of values would call 0 and -0 equal, and would see neither a lost tie nor a lost NaN.
TEST(round_to_bfloat16, ties_go_to_the_even_neighbour_and_zeros_keep_their_sign) {
    EXPECT_EQ(rounded(0x3f808000U), "3f800000");  // half way above an even value
    EXPECT_EQ(rounded(0x3f818000U), "3f820000");  // half way above an odd value
    EXPECT_EQ(rounded(0x3f817fffU), "3f810000");  // an odd value and a bit less than half a step
    EXPECT_EQ(rounded(0xbf808000U), "bf800000");
    EXPECT_EQ(rounded(0x80000000U), "80000000");
    EXPECT_EQ(rounded(0x7f7fffffU), "7f800000");  // the largest float lies half a step beyond
}

TEST(round_to_bfloat16, every_nan_becomes_the_quiet_one_and_infinities_stay) {
    for (const std::uint32_t bits : {0x7FC00000U, 0x7F800001U, 0x7FFFFFFFU, 0xFF800001U, 0xFFFFFFFFU})
        EXPECT_EQ(rounded(bits), "7fc00000") << fmt::format("of {:08x}", bits);
    EXPECT_EQ(rounded(0x7F800000U) + " " + rounded(0xFF800000U), "7f800000 ff800000");
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
