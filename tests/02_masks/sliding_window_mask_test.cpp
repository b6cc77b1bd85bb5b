// tests/02_masks/sliding_window_mask_test.cpp · step sliding_window_mask: PyTorch's values, windows of every size
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tests/02_masks/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Both masks of 7 positions; `keys` is how many a query sees on each side, itself included.
void expect_windows(std::size_t window, std::int64_t keys) {
    const Shape shape{1, 1, 7, 7};
    EXPECT_TRUE(mask_close(sliding_window_mask(7, window),
                           by_rule(shape, [=](auto, auto i, auto j) { return j <= i && i - j < keys; }),
                           fmt::format("window {}", window)));
    EXPECT_TRUE(mask_close(sliding_window_mask(7, window, Window::symmetric),
                           by_rule(shape, [=](auto, auto i, auto j) { return std::abs(i - j) < keys; }),
                           fmt::format("symmetric window {}", window)));
}

TEST(sliding_window_mask, equals_pytorch) {
    EXPECT_TRUE(mask_close(sliding_window_mask(6, 3), golden()["mask.window"]));
}

TEST(sliding_window_mask, symmetric_sees_as_many_after_as_before) {
    EXPECT_TRUE(mask_close(sliding_window_mask(6, 3, Window::symmetric), golden()["mask.window_symmetric"]));
}

TEST(sliding_window_mask, attention_under_it_equals_pytorch) {
    EXPECT_TRUE(attention_equals_pytorch("window", sliding_window_mask(6, 3)));
    EXPECT_TRUE(attention_equals_pytorch("window_symmetric", sliding_window_mask(6, 3, Window::symmetric)));
}

TEST(sliding_window_mask, from_itself_alone_to_everything) {
    for (const std::size_t window : {1u, 2u, 6u, 7u})
        expect_windows(window, static_cast<std::int64_t>(window));
    expect_windows(100, 7);
}

TEST(sliding_window_mask, the_largest_window_hides_nothing_but_the_future) {
    expect_windows(std::numeric_limits<std::size_t>::max(), 7);
}

TEST(sliding_window_mask, refuses_a_window_of_nothing) {
    EXPECT_TRUE(has_shape(numbers(sliding_window_mask(1, 1)), {1, 1, 1, 1}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)sliding_window_mask(4, 0); }, {"window", "0"}, "window 0"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)sliding_window_mask(4, 0, Window::symmetric); }, {},
                                    "symmetric window 0"));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)sliding_window_mask(0, 3); }, {}, "a sequence of 0 positions"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)sliding_window_mask(1ull << 32, 3); }, {"4294967296"},
                                    "1 << 32 positions"));
}

}  // namespace
}  // namespace tfs::test
