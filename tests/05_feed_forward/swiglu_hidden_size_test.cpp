// tests/05_feed_forward/swiglu_hidden_size_test.cpp · step swiglu_hidden_size: published sizes, edge cases, diagnosis
#include "chapters/05_feed_forward/feed_forward.hpp"

#include <fmt/format.h>

#include <limits>

#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t refused = std::numeric_limits<std::size_t>::max();

// What gives n for d_ff and the multiple m; the likeliest mistake first.
std::string likely_mistake(std::size_t n, std::size_t d_ff, std::size_t m) {
    const auto up = [m](std::size_t size) { return (size + m - 1) / m * m; };
    const std::size_t exact = 2 * d_ff / 3;
    if (n == 0 && d_ff == 2) return "";  // several mistakes give 0, and other sizes tell them apart
    if (n == 0)
        return exact < m ? "rounded down to 0" : "2 / 3 of integers is 0: multiply first, then divide";
    if (n == up(d_ff / 3 * 2))
        return "d_ff / 3 * 2 loses the remainder before it is doubled: multiply first, then divide";
    if (n == up((2 * d_ff + 2) / 3))
        return "two thirds were rounded up to a whole number; LLaMA cuts the fraction off";
    if (n == exact / m * m) return "rounded down to the multiple; it must be rounded up";
    if (n == (exact + m / 2) / m * m) return "rounded to the nearest multiple; it must be rounded up";
    if (n == (exact / m + 1) * m)
        return "a size that is a multiple already must stay as it is; one multiple too many was added";
    if (n == exact) return "two thirds, but not rounded up to a multiple";
    if (n == up(d_ff / 6))
        return "two thirds of d_model were taken; they must be of d_ff, which is 4 d_model";
    if (n == up(8 * d_ff / 3) || n == 8 * d_ff / 3)
        return "8/3 were taken, as of d_model; the function is given d_ff, 4 d_model, and takes 2/3 of that";
    if (n == up(d_ff)) return "d_ff is rounded up, but not reduced to two thirds";
    return n == up(3 * d_ff / 2) ? "3/2 of d_ff was taken, not 2/3" : "";
}

// swiglu_hidden_size of sizes that must not be refused.
std::size_t accepted_size(std::size_t d_ff, std::size_t multiple_of) {
    try {
        return swiglu_hidden_size(d_ff, multiple_of);
    } catch (const ValueError& error) {
        ADD_FAILURE() << fmt::format("swiglu_hidden_size({}, {}) threw: {}", d_ff, multiple_of, error.what())
                      << likely_if(d_ff == 2,
                                   "d_ff = 2 is allowed: two thirds are 1; only d_ff below 2 is refused");
        return refused;
    }
}

void hidden_size_is(std::size_t d_ff, std::size_t multiple_of, std::size_t expected) {
    const std::size_t n = accepted_size(d_ff, multiple_of);
    if (n == expected || n == refused) return;
    const std::string mistake = likely_mistake(n, d_ff, multiple_of);
    ADD_FAILURE() << fmt::format("swiglu_hidden_size({}, {}) is {}, expected {}", d_ff, multiple_of, n,
                                 expected)
                  << likely_if(!mistake.empty(), mistake);
}

TEST(swiglu_hidden_size, is_that_of_llama) {
    hidden_size_is(4 * 4096, 256, 11008);  // 7B: two thirds are 10922
    hidden_size_is(4 * 5120, 256, 13824);  // 13B
    hidden_size_is(4 * 6656, 256, 17920);  // 33B
    hidden_size_is(4 * 8192, 256, 22016);  // 65B
}

TEST(swiglu_hidden_size, what_is_a_multiple_already_stays) {
    hidden_size_is(3072, 256, 2048);
    hidden_size_is(3072, 1, 2048);
    hidden_size_is(96, 64, 64);
}

TEST(swiglu_hidden_size, the_fraction_is_cut_off_and_a_small_size_is_rounded_up) {
    hidden_size_is(16384, 1, 10922);
    hidden_size_is(20, 1, 13);
    hidden_size_is(2, 1, 1);
    hidden_size_is(4, 2, 2);  // two thirds are 2.67, cut off to 2, as LLaMA's int(2 * hidden_dim / 3)
    hidden_size_is(16, 256, 256);
}

void size_is_refused(std::size_t d_ff, std::size_t multiple_of) {
    EXPECT_TRUE(refuses<ValueError>([&] { (void)swiglu_hidden_size(d_ff, multiple_of); },
                                    {std::to_string(d_ff), std::to_string(multiple_of)},
                                    fmt::format("swiglu_hidden_size({}, {})", d_ff, multiple_of)));
}

TEST(swiglu_hidden_size, refuses_zeros) {
    ASSERT_EQ(swiglu_hidden_size(3, 1), 2u);
    size_is_refused(0, 256);
    size_is_refused(1, 1);
    size_is_refused(3072, 0);
}

}  // namespace
}  // namespace tfs::test
