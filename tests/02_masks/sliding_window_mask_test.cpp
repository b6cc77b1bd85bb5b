// tests/02_masks/sliding_window_mask_test.cpp · step sliding_window_mask: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::string itself_hidden = "a query doesn't see itself: its distance is 0, and 0 < window";
const std::string wraps =
    "the first queries see nothing: i - window + 1 of std::size_t wraps around below 0; compare i - j (where "
    "j <= i)";
const std::string blocks = "the windows are blocks; each query has its own";
// As many cells are allowed as expected; `what` names the mask, `why` the number.
testing::AssertionResult allows(const std::string& what, const std::function<Mask()>& make,
                                std::size_t expected, const std::string& why) {
    std::size_t count = 0;
    try {
        const Tensor cells = numbers(make());
        count = static_cast<std::size_t>(std::count(cells.values().begin(), cells.values().end(), 1.0f));
    } catch (const ValueError& error) {
        return testing::AssertionFailure()
               << what << ": \"" << error.what() << "\""
               << likely_if(true,
                            "a window longer than the sequence is refused; it shows what there is, and only "
                            "window 0 is an error");
    }
    if (count == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << fmt::format("{}: {} cells allowed, expected {} ({})", what, count, expected, why);
}

TEST(sliding_window_mask, equals_pytorch) {
    const Shape shape{1, 1, 6, 6};
    const auto rule = [&](const std::string& message, const Rule& r) { return suspect(message, shape, r); };
    EXPECT_TRUE(
        mask_close(sliding_window_mask(6, 3), golden()["mask.window"],
                   {rule("the window is one key too long: `window` counts the query itself",
                         [](auto, auto i, auto j) { return j <= i && i - j <= 3; }),
                    rule("the window is one key too short: `window` counts the query itself, so window 1 "
                         "still sees one key",
                         [](auto, auto i, auto j) { return j <= i && i - j < 2; }),
                    rule("the window sees the future: Window::causal needs j <= i as well",
                         [](auto, auto i, auto j) { return i - j < 3; }),
                    rule("the window sees the future: Window::causal looks back only",
                         [](auto, auto i, auto j) { return std::abs(i - j) < 3; }),
                    rule(wraps, [](auto, auto i, auto j) { return i >= 2 && j <= i && j >= i - 2; }),
                    rule(wraps, [](auto, auto i, auto j) { return i >= 3 && j <= i && j > i - 3; }),
                    rule("the window looks ahead, not back: i - j, not j - i",
                         [](auto, auto i, auto j) { return j >= i && j - i < 3; }),
                    rule("every query sees the first `window` keys; the window moves with the query",
                         [](auto, auto, auto j) { return j < 3; }),
                    rule(itself_hidden, [](auto, auto i, auto j) { return j < i && i - j < 3; }),
                    rule(itself_hidden, [](auto, auto i, auto j) { return j < i && i - j <= 3; }),
                    rule(blocks, [](auto, auto i, auto j) { return j <= i && i / 3 == j / 3; }),
                    rule(blocks, [](auto, auto i, auto j) { return i / 3 == j / 3; }),
                    rule("the window has no end: this is the causal mask",
                         [](auto, auto i, auto j) { return j <= i; })}));
}

TEST(sliding_window_mask, symmetric_sees_as_many_after_as_before) {
    const Shape shape{1, 1, 6, 6};
    EXPECT_TRUE(mask_close(
        sliding_window_mask(6, 3, Window::symmetric), golden()["mask.window_symmetric"],
        {suspect("nothing after the query is seen: kind is ignored, or i - j of std::size_t wraps "
                 "around where j > i",
                 shape, [](auto, auto i, auto j) { return j <= i && i - j < 3; }),
         suspect("the window has no end ahead of the query: j - i < window too", shape,
                 [](auto, auto i, auto j) { return i - j < 3; }),
         suspect("half a window on each side: here `window` counts one side with the query itself", shape,
                 [](auto, auto i, auto j) { return std::abs(i - j) <= 1; }),
         suspect("the window is one key too long on each side", shape,
                 [](auto, auto i, auto j) { return std::abs(i - j) <= 3; }),
         suspect(itself_hidden, shape, [](auto, auto i, auto j) { return i != j && std::abs(i - j) < 3; }),
         suspect(blocks, shape, [](auto, auto i, auto j) { return i / 3 == j / 3; }),
         suspect("the window is shorter ahead of the query than behind it: window - 1 keys on each side",
                 shape, [](auto, auto i, auto j) { return i - j < 3 && j - i < 2; }),
         suspect("the window is longer ahead of the query than behind it: window - 1 keys on each side",
                 shape, [](auto, auto i, auto j) { return i - j < 3 && j - i <= 3; }),
         suspect(wraps, shape, [](auto, auto i, auto j) { return i >= 2 && std::abs(i - j) < 3; }),
         suspect(wraps, shape, [](auto, auto i, auto j) { return i >= 3 && std::abs(i - j) < 3; }),
         suspect("the window looks ahead only", shape,
                 [](auto, auto i, auto j) { return j >= i && j - i < 3; })}));
}

TEST(sliding_window_mask, attention_under_it_equals_pytorch) {
    const Mask causal = sliding_window_mask(6, 3), symmetric = sliding_window_mask(6, 3, Window::symmetric);
    ASSERT_TRUE(has_shape(numbers(causal), {1, 1, 6, 6}));
    ASSERT_TRUE(has_shape(numbers(symmetric), {1, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("window", causal));
    EXPECT_TRUE(attention_equals_pytorch("window_symmetric", symmetric));
}

TEST(sliding_window_mask, from_itself_alone_to_everything) {
    const auto window = [](std::size_t w, Window kind = Window::causal) {
        return [=] { return sliding_window_mask(7, w, kind); };
    };
    EXPECT_TRUE(allows("window 1", window(1), 7, "the diagonal"));
    EXPECT_TRUE(allows("symmetric window 1", window(1, Window::symmetric), 7, "the diagonal"));
    EXPECT_TRUE(allows("window 2", window(2), 13, "the diagonal and that before it"));
    EXPECT_TRUE(
        allows("symmetric window 2", window(2, Window::symmetric), 19, "the diagonal and its neighbours"));
    EXPECT_TRUE(allows("window 7 of 7", window(7), 28, "the causal mask"));
    EXPECT_TRUE(allows("window 100 of 7", window(100), 28, "the causal mask"));
    EXPECT_TRUE(allows("symmetric window 7 of 7", window(7, Window::symmetric), 49, "everything"));
    EXPECT_TRUE(allows("symmetric window 100 of 7", window(100, Window::symmetric), 49, "everything"));
}

TEST(sliding_window_mask, the_largest_window_hides_nothing_but_the_future) {
    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    const auto window = [](std::size_t w, Window kind) {
        return [=] { return sliding_window_mask(7, w, kind); };
    };
    const std::string cause =
        "a sum or a difference with the window wraps around, or the window is cut to an int; ask j <= i "
        "first, then "
        "i - j < window";
    ASSERT_TRUE(allows("window 100 of 7", window(100, Window::causal), 28, "the causal mask"));
    ASSERT_TRUE(allows("symmetric window 100 of 7", window(100, Window::symmetric), 49, "everything"));
    EXPECT_TRUE(allows("window 2^64 - 1 of 7", window(largest, Window::causal), 28, "the causal mask"))
        << likely_if(true, cause);
    EXPECT_TRUE(
        allows("symmetric window 2^64 - 1 of 7", window(largest, Window::symmetric), 49, "everything"))
        << likely_if(true, cause);
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
