// tests/02_masks/causal_mask_test.cpp · step causal_mask: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Without an offset, the mask is right.
bool right_without_offset() {
    const Tensor expected = by_rule({1, 1, 3, 3}, [](auto, auto i, auto j) { return j <= i; });
    return close(numbers(causal_mask(3, 3, 0)), expected, {0, 0});
}

// Behind cached keys, the mask of one query is right.
bool right_for_one_query() {
    return close(numbers(causal_mask(1, 4, 2)), Tensor::from({1, 1, 1, 4}, {1, 1, 1, 0}), {0, 0});
}

std::vector<Suspect> causal_suspects(const Shape& shape, std::int64_t offset) {
    const bool right_at_0 = right_without_offset();
    const std::int64_t guessed = static_cast<std::int64_t>(shape[3]) - static_cast<std::int64_t>(shape[2]);
    std::vector<Suspect> suspects{
        suspect("`offset` is guessed as keys - queries; there may be more keys than offset + queries", shape,
                [=](auto, auto i, auto j) { return j <= i + guessed; }),
        suspect("only the future is allowed: an additive mask (0 / -inf) was read as a boolean one, or the "
                "comparison is the wrong way round",
                shape, [=](auto, auto i, auto j) { return j > i + offset; }),
        suspect("upper triangle instead of lower: query i sees itself and the keys after it", shape,
                [=](auto, auto i, auto j) { return j >= i + offset; }),
        suspect(right_at_0 ? "behind a cache a query is one key too early: `offset` is the number of cached "
                             "keys, not the index of the last"
                           : "the diagonal is masked too: a query sees itself, j <= i + offset",
                shape, [=](auto, auto i, auto j) { return j < i + offset; }),
        suspect("a query sees the cached keys, but not itself: query i is at position i + offset of the "
                "keys, so j <= i + offset",
                shape, [=](auto, auto i, auto j) { return j < offset || j <= i; }),
        suspect("one key of the future is allowed: j <= i + offset, not j <= i + offset + 1", shape,
                [=](auto, auto i, auto j) { return j <= i + offset + 1; }),
        suspect(right_for_one_query()
                    ? "the offset is used for a single query only; each query i of several is at i + "
                      "offset too"
                    : "the offset is ignored: query i is at position i + offset of the keys",
                shape, [=](auto, auto i, auto j) { return j <= i; }),
        suspect(
            "everything is allowed: i + offset - j of std::size_t is never below 0; compare j <= i + offset",
            shape, [](auto, auto, auto) { return true; }),
        suspect("the keys before the query are hidden, by j >= i or by j - i, which wraps around below 0; "
                "compare j <= i + offset alone",
                shape, [=](auto, auto i, auto j) { return j >= i && j <= i + offset; }),
        suspect("the cached keys are hidden, by j >= offset or by j - offset, which wraps around below 0; "
                "compare j <= i + offset alone",
                shape, [=](auto, auto i, auto j) { return j >= offset && j <= i + offset; })};
    if (right_at_0)
        suspects.push_back(
            suspect("the offset has the wrong sign: the cached keys come first, so j <= i + offset", shape,
                    [=](auto, auto i, auto j) { return j + offset <= i; }));
    return suspects;
}

TEST(causal_mask, equals_pytorch) {
    EXPECT_TRUE(mask_close(causal_mask(6), golden()["mask.causal"], causal_suspects({1, 1, 6, 6}, 0)));
}

TEST(causal_mask, cached_keys_come_before_the_queries) {
    EXPECT_TRUE(
        mask_close(causal_mask(3, 8, 5), golden()["mask.causal_cached"], causal_suspects({1, 1, 3, 8}, 5)));
    // One query at a time, as a decoder asks, gives the rows of the whole mask. Such small masks tell no mistake from
    // another, so no cause is looked for.
    const Tensor whole = golden()["mask.causal"];
    for (std::size_t i = 0; i < 6; ++i) {
        const Tensor row = slice(slice(whole, 2, i, i + 1), 3, 0, i + 1);
        EXPECT_TRUE(close_named(fmt::format("causal_mask(1, {}, {})", i + 1, i),
                                numbers(causal_mask(1, i + 1, i)), row, {0, 0}));
    }
}

TEST(causal_mask, keys_beyond_the_last_query_are_hidden) {
    const Shape shape{1, 1, 4, 8};
    ASSERT_TRUE(mask_close(causal_mask(4, 8, 2),
                           by_rule(shape, [](auto, auto i, auto j) { return j <= i + 2; }),
                           causal_suspects(shape, 2)));
    EXPECT_TRUE(
        mask_close(causal_mask(1, 7, 3), Tensor::from({1, 1, 1, 7}, {1, 1, 1, 1, 0, 0, 0}),
                   {suspect("a single query sees every key; it is at `offset`, and keys may come after it",
                            {1, 1, 1, 7}, [](auto, auto, auto) { return true; })},
                   "causal_mask(1, 7, 3)"));
}

TEST(causal_mask, attention_under_it_equals_pytorch) {
    const Mask mask = causal_mask(6);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("causal", mask));
}

TEST(causal_mask, what_comes_later_changes_not_one_bit_of_an_earlier_output) {
    const Mask mask = causal_mask(5);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(3);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({1, 5, 8}, 4);
    const Tensor before = attention(x, x, x, mask).output;
    for (std::size_t j = 1; j < 5; ++j) {
        Array changed = x.array();
        for (std::size_t c = 0; c < 8; ++c) changed(0, j, c) += 100.0f;
        const Tensor other(changed), after = attention(other, other, other, mask).output;
        EXPECT_TRUE(close_named(fmt::format("outputs before position {}, after changing it", j),
                                slice(after, 1, 0, j), slice(before, 1, 0, j), {0, 0}))
            << likely_if(true, "a query sees the future" + never_written);
    }
}

TEST(causal_mask, no_gradient_reaches_a_later_input) {
    const Mask mask = causal_mask(5);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(5);
    const MultiHeadAttention attention(8, 2, rng);
    for (std::size_t i = 0; i < 5; ++i) {
        const Tensor x = normal({1, 5, 8}, 6).set_requires_grad(true);
        sum(slice(attention(x, x, x, mask).output, 1, i, i + 1)).backward();
        const Tensor grad(x.grad());
        EXPECT_TRUE(close_named(fmt::format("gradient of output {} for the inputs after it", i),
                                slice(grad, 1, i + 1, 5), Tensor::zeros({1, 4 - i, 8}), {0, 0}))
            << likely_if(true, "a query sees the future" + never_written);
    }
}

TEST(causal_mask, refuses_too_few_keys) {
    EXPECT_TRUE(has_shape(numbers(causal_mask(2, 4, 1)), {1, 1, 2, 4}));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)causal_mask(3, 4, 5); }, {"3", "4", "5"}, "causal_mask(3, 4, 5)"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(0); }, {}, "causal_mask(0)"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(1, 4, std::numeric_limits<std::size_t>::max()); },
                                    {}, "an offset that is huge"));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)causal_mask(1ull << 32); }, {"4294967296"}, "causal_mask(1 << 32)"));
}

}  // namespace
}  // namespace tfs::test
