// tests/02_masks/longformer_mask_test.cpp · puzzle longformer_mask: equal to its definition, and what it does in attention
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Positions = std::vector<std::size_t>;

// The mask for these arguments, or the failure of which the sentence of its error is part.
testing::AssertionResult equals_its_definition(std::size_t seq, std::size_t window, const Positions& global) {
    const auto w = static_cast<std::int64_t>(window);
    const auto is_global = [&](std::int64_t position) {
        return std::find(global.begin(), global.end(), static_cast<std::size_t>(position)) != global.end();
    };
    const Shape shape{1, 1, seq, seq};
    const auto near = [=](auto i, auto j) { return std::abs(i - j) < w; };
    const auto rule = [&](const std::string& message, const Rule& r) { return suspect(message, shape, r); };
    const std::string what =
        fmt::format("{} positions, window {}, global {{{}}}", seq, window, fmt::join(global, ", "));
    std::optional<Mask> mask;
    try {
        mask.emplace(longformer_mask(seq, window, global));
    } catch (const ValueError& error) {
        return testing::AssertionFailure()
               << what << ": \"" << error.what() << '"'
               << likely_if(global.empty(),
                            "no global token at all is refused; then the mask is that of the window "
                            "(padding_mask refuses a sequence in which nothing is left)");
    }
    const testing::AssertionResult result = mask_close(
        *mask,
        by_rule(shape, [&](auto, auto i, auto j) { return near(i, j) || is_global(i) || is_global(j); }),
        {rule("the global tokens see everything, but not everybody sees them: the key may be global, too",
              [&](auto, auto i, auto j) { return near(i, j) || is_global(i); }),
         rule(
             "everybody sees the global tokens, but they see only their window: the query may be global, too",
             [&](auto, auto i, auto j) { return near(i, j) || is_global(j); }),
         rule("global tokens see only each other: query or key must be global, not both",
              [&](auto, auto i, auto j) { return near(i, j) || (is_global(i) && is_global(j)); }),
         rule("`and` instead of `or`: one of the three rules is enough",
              [&](auto, auto i, auto j) { return near(i, j) && is_global(i) && is_global(j); }),
         rule("`and` instead of `or`: a cell is allowed by the window or by a global token",
              [&](auto, auto i, auto j) { return near(i, j) && (is_global(i) || is_global(j)); }),
         rule("the global tokens have no effect: this is the window",
              [&](auto, auto i, auto j) { return near(i, j); }),
         rule("the window is causal: Longformer's looks both ways, Window::symmetric",
              [&](auto, auto i, auto j) { return (near(i, j) && j <= i) || is_global(i) || is_global(j); }),
         rule("the window has no effect: only global tokens see and are seen",
              [&](auto, auto i, auto j) { return is_global(i) || is_global(j); }),
         rule("only the first global position counts",
              [&](auto, auto i, auto j) {
                  const auto first = global.empty() ? -1 : static_cast<std::int64_t>(global.front());
                  return near(i, j) || i == first || j == first;
              }),
         rule("only the last global position counts",
              [&](auto, auto i, auto j) {
                  const auto last = global.empty() ? -1 : static_cast<std::int64_t>(global.back());
                  return near(i, j) || i == last || j == last;
              }),
         rule("a prefix is global: `global` holds positions, not their number",
              [&](auto, auto i, auto j) {
                  const auto many = static_cast<std::int64_t>(global.size());
                  return near(i, j) || i < many || j < many;
              })},
        what);
    return result;
}

TEST(longformer_mask, equals_its_definition) { EXPECT_TRUE(equals_its_definition(8, 2, {1, 5})); }

TEST(longformer_mask, works_for_every_length_window_and_set_of_global_tokens) {
    if (!equals_its_definition(8, 2, {1, 5})) GTEST_SKIP() << "the check equals_its_definition comes first";
    for (std::size_t seq = 1; seq <= 6; ++seq) {
        for (std::size_t window = 1; window <= seq + 1; ++window) {
            for (std::size_t set = 0; set < (1U << seq); ++set) {
                Positions global;
                for (std::size_t position = 0; position < seq; ++position)
                    if ((set >> position & 1U) != 0) global.push_back(position);
                ASSERT_TRUE(equals_its_definition(seq, window, global));
            }
        }
    }
    Positions all(33);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_TRUE(equals_its_definition(33, 4, all));
    EXPECT_TRUE(equals_its_definition(33, 4, {32, 0}));
}

TEST(longformer_mask, global_positions_come_in_any_order_and_may_come_twice) {
    ASSERT_TRUE(equals_its_definition(8, 2, {1, 5}));
    EXPECT_TRUE(equals_its_definition(8, 2, {5, 1}));
    const testing::AssertionResult twice = equals_its_definition(8, 2, {1, 5, 1});
    EXPECT_TRUE(twice) << likely_if(
        true, "a position that comes twice switches itself off; it is global all the same");
}

// Two layers take any token to any other one by way of a single global token: far apart, with no window between.
TEST(longformer_mask, two_layers_with_one_global_token_join_everything) {
    const std::size_t seq = 12;
    const xt::xarray<bool> once = longformer_mask(seq, 2, {7}).expanded({1, 1, seq, seq});
    for (std::size_t i = 0; i < seq; ++i) {
        for (std::size_t j = 0; j < seq; ++j) {
            bool reached = false;
            for (std::size_t via = 0; via < seq; ++via)
                reached = reached || (once(0, 0, i, via) && once(0, 0, via, j));
            ASSERT_TRUE(reached)
                << "query " << i << " can't reach key " << j
                << " by way of the global token 7: everybody must see it, and it must see everybody";
        }
    }
}

TEST(longformer_mask, refuses_what_is_no_position_and_a_window_of_nothing) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)longformer_mask(4, 2, {4}); }, {"4"}, "position 4 of 4"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)longformer_mask(4, 0, {1}); }, {}, "window 0"));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)longformer_mask(0, 2, {}); }, {}, "a sequence of 0 positions"));
}

}  // namespace
}  // namespace tfs::test
