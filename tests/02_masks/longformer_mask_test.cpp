// tests/02_masks/longformer_mask_test.cpp · puzzle longformer_mask: equal to its definition, and what it does in attention
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/02_masks/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Positions = std::vector<std::int64_t>;

bool holds(const Positions& positions, std::int64_t position) {
    return std::find(positions.begin(), positions.end(), position) != positions.end();
}

Mask mask_by_rule(const Shape& shape, const Rule& rule) {
    const Tensor allowed = by_rule(shape, rule);
    return Mask::from(shape, std::vector<int>(allowed.values().begin(), allowed.values().end()));
}

// Each sequence of a batch has its global queries and its global keys, or all have the same; so has `near`.
struct Case {
    std::size_t queries = 8, keys = 8;
    std::vector<Positions> global_queries, global_keys;
    Rule near;
    std::size_t batch_of_near = 1;
};

bool in(const std::vector<Positions>& all, std::int64_t b, std::int64_t position) {
    return holds(all[all.size() == 1 ? 0 : static_cast<std::size_t>(b)], position);
}

Mask longformer_mask_of(const Case& c) {
    const std::size_t batch = c.global_queries.size();
    return longformer_mask(
        mask_by_rule({c.batch_of_near, 1, c.queries, c.keys}, c.near),
        mask_by_rule({batch, 1, c.queries, 1},
                     [&](auto b, auto i, auto) { return in(c.global_queries, b, i); }),
        mask_by_rule({batch, 1, 1, c.keys}, [&](auto b, auto, auto j) { return in(c.global_keys, b, j); }));
}

testing::AssertionResult equals_its_definition(const Case& c) {
    const Shape shape{std::max(c.batch_of_near, c.global_queries.size()), 1, c.queries, c.keys};
    const std::string what =
        fmt::format("{} queries, {} keys, global queries {}, global keys {}", c.queries, c.keys,
                    fmt::join(c.global_queries, " and "), fmt::join(c.global_keys, " and "));
    return mask_close(longformer_mask_of(c),
                      by_rule(shape,
                              [&](auto b, auto i, auto j) {
                                  return c.near(b, i, j) || in(c.global_queries, b, i) ||
                                         in(c.global_keys, b, j);
                              }),
                      what);
}

// |i - j| < window, and the same global positions as queries and as keys.
Case window_and_global(std::size_t seq, std::int64_t window, const Positions& global) {
    return {.queries = seq,
            .keys = seq,
            .global_queries = {global},
            .global_keys = {global},
            .near = [=](auto, auto i, auto j) { return std::abs(i - j) < window; }};
}

TEST(longformer_mask, equals_its_definition) {
    EXPECT_TRUE(equals_its_definition(window_and_global(8, 2, {1, 5})));
}

TEST(longformer_mask, works_for_every_length_window_and_set_of_global_tokens) {
    for (std::size_t seq = 1; seq <= 6; ++seq) {
        for (std::int64_t window = 1; window <= static_cast<std::int64_t>(seq) + 1; ++window) {
            for (std::size_t set = 0; set < (1U << seq); ++set) {
                Positions global;
                for (std::size_t position = 0; position < seq; ++position)
                    if ((set >> position & 1U) != 0) global.push_back(static_cast<std::int64_t>(position));
                ASSERT_TRUE(equals_its_definition(window_and_global(seq, window, global)));
            }
        }
    }
}

TEST(longformer_mask, queries_and_keys_have_masks_of_their_own) {
    Case c = window_and_global(8, 2, {1, 5});
    c.global_queries = {{0}};
    EXPECT_TRUE(equals_its_definition(c));
    c.queries = 3;  // as in a cache, or between two texts
    EXPECT_TRUE(equals_its_definition(c));
}

TEST(longformer_mask, each_sequence_of_a_batch_may_have_its_global_tokens) {
    Case c = window_and_global(6, 2, {1});
    c.global_queries = c.global_keys = {{0}, {2, 5}, {}};
    EXPECT_TRUE(equals_its_definition(c)) << "near is one mask for the whole batch";
    c.batch_of_near = 3;
    c.near = [](auto b, auto i, auto j) { return std::abs(i - j) <= b; };
    EXPECT_TRUE(equals_its_definition(c)) << "each sequence has its own near";
    c.global_queries = c.global_keys = {{0, 4}};
    EXPECT_TRUE(equals_its_definition(c)) << "each sequence has its own near, and the same global tokens";
}

// Where one mask decides all alone, the others still have a shape.
TEST(longformer_mask, where_nothing_is_global_or_everything_is_near_the_shape_is_that_of_all_three) {
    Case c = window_and_global(5, 2, {});
    c.global_queries = c.global_keys = {{}, {}};
    EXPECT_TRUE(equals_its_definition(c)) << "nothing is global";
    c.near = [](auto, auto, auto) { return true; };
    EXPECT_TRUE(equals_its_definition(c)) << "everything is near";
}

// Two layers take any token to any other one by way of a single global token: far apart, with no window between.
TEST(longformer_mask, two_layers_with_one_global_token_join_everything) {
    const Tensor once = numbers(longformer_mask_of(window_and_global(12, 2, {7})));
    ASSERT_TRUE(has_shape(once, {1, 1, 12, 12}));
    EXPECT_TRUE(close_named("1 where a query reaches a key in two layers",
                            -maximum(-matmul(once, once), -1.0f), Tensor::ones({1, 1, 12, 12}), {0, 0}));
}

TEST(longformer_mask, refuses_masks_that_do_not_fit) {
    const auto all = [](const Shape& shape) {
        return mask_by_rule(shape, [](auto, auto, auto) { return true; });
    };
    const auto nothing = [](const Shape& shape) {
        return mask_by_rule(shape, [](auto, auto, auto) { return false; });
    };
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)longformer_mask(all({1, 1, 4, 4}), all({1, 1, 5, 1}), all({1, 1, 1, 4}));
        },
        {"4", "5"}, "4 and 5 queries"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)longformer_mask(nothing({1, 1, 4, 4}), nothing({1, 1, 4, 1}), nothing({1, 1, 1, 5}));
        },
        {"4", "5"}, "4 and 5 keys"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)longformer_mask(nothing({1, 1, 4, 4}), all({2, 1, 4, 1}), all({3, 1, 1, 4}));
        },
        {"2", "3"}, "a batch of 2 and one of 3"));
}

// The last: code that asks for four axes may end here.
TEST(longformer_mask, near_may_differ_between_heads_or_have_two_axes_only) {
    const std::vector<int> near{1, 0, 0, 0, 1, 0}, other{0, 0, 1, 0, 0, 0}, query{0, 0}, key{1, 0, 0};
    std::vector<int> heads = near;
    heads.insert(heads.end(), other.begin(), other.end());
    EXPECT_TRUE(mask_close(longformer_mask(Mask::from({1, 2, 2, 3}, heads), Mask::from({1, 1, 2, 1}, query),
                                           Mask::from({1, 1, 1, 3}, key)),
                           Tensor::from({1, 2, 2, 3}, {1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0}), "two heads"));
    EXPECT_TRUE(mask_close(
        longformer_mask(Mask::from({2, 3}, near), Mask::from({2, 1}, query), Mask::from({1, 3}, key)),
        Tensor::from({2, 3}, {1, 0, 0, 1, 1, 0}), "(query, key)"));
}

}  // namespace
}  // namespace tfs::test
