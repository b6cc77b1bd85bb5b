// tests/03_positional_encoding/alibi_bias_test.cpp · step alibi_bias: PyTorch's values, properties, diagnosis
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// slope * entry(i - j), with i the position of the query.
Tensor reference_bias(std::size_t heads, std::size_t queries, std::size_t keys, std::size_t offset,
                      const std::function<double(double, double)>& entry) {
    const Tensor slopes = golden()["alibi.bias.slopes." + std::to_string(heads)];
    const auto first = static_cast<double>(offset);
    return reshape(slopes, {1, heads, 1, 1}) *
           table_of(queries, keys, [=](double i, double j) { return entry(i + first, j); });
}

std::vector<Suspect> bias_suspects(std::size_t heads, std::size_t queries, std::size_t keys,
                                   std::size_t offset) {
    const auto with = [=](const std::string& message, const std::function<double(double, double)>& entry) {
        return Suspect{message, [=] { return reference_bias(heads, queries, keys, offset, entry); }};
    };
    const auto first = static_cast<double>(offset);
    return {
        with("the sign is wrong: distance is a penalty, so the bias is negative",
             [](double i, double j) { return std::max(i - j, 0.0); }),
        with("the distance is taken absolute, so keys in the future are penalised as well; the contract says "
             "0",
             [](double i, double j) { return -std::abs(i - j); }),
        with("keys in the future are rewarded: -slope * (i - j) is positive for j > i; the contract says 0",
             [](double i, double j) { return j - i; }),
        with("`offset` is ignored: query i is at position i + offset",
             [=](double i, double j) { return -std::max(i - first - j, 0.0); }),
        with("the offset is added to the keys; query i is at position i + offset",
             [=](double i, double j) { return -std::max(i - j - 2.0 * first, 0.0); }),
        with("the bias is slope * j, as in the published code: after the softmax the same, but the contract "
             "says -slope * (i - j)",
             [](double, double j) { return j; }),
        with(
            "a key is one position too far from its query: the distance is i + offset - j, 0 for its own key",
            [](double i, double j) { return j > i ? 0.0 : j - i - 1.0; }),
        with("a key is one position too near to its query: the distance is i + offset - j",
             [](double i, double j) { return -std::max(i - j - 1.0, 0.0); }),
        with("the penalty grows with the square of the distance; it grows with the distance itself",
             [](double i, double j) { return j > i ? 0.0 : -(i - j) * (i - j); }),
        with("the distance is j - i, that of a key in the future; a query looks back, i + offset - j",
             [=](double i, double j) { return -std::max(j - (i - first), 0.0); }),
        with("the distance is counted from the last key; count from the query's own, i + offset - j",
             [=](double, double j) { return j - static_cast<double>(keys - 1); }),
        {"the slope is added to the distance; it is a factor",
         [=] {
             const Tensor slopes = golden()["alibi.bias.slopes." + std::to_string(heads)];
             return -(reshape(slopes, {1, heads, 1, 1}) + table_of(queries, keys, [=](double i, double j) {
                          return std::max(i + first - j, 0.0);
                      }));
         }},
        {"every head has the first slope: multiply the distances by the slopes as (1, heads, 1, 1)",
         [=] {
             const Tensor first_slope =
                 slice(golden()["alibi.bias.slopes." + std::to_string(heads)], 0, 0, 1);
             return Tensor::zeros({1, heads, 1, 1}) -
                    first_slope * table_of(queries, keys,
                                           [=](double i, double j) { return std::max(i + first - j, 0.0); });
         }},
        {"every head has the same slope: multiply the distances by the slopes as (1, heads, 1, 1)", [=] {
             return Tensor::zeros({1, heads, 1, 1}) -
                    table_of(queries, keys, [=](double i, double j) { return std::max(i + first - j, 0.0); });
         }}};
}

// The bias, with its large negative numbers taken for 0.
Tensor without_hidden(const Tensor& bias) {
    Array entries = bias.array();
    for (float& entry : entries)
        if (entry < -1e4f) entry = 0.0f;
    return Tensor(std::move(entries));
}

TEST(alibi_bias, equals_pytorch) {
    const Tensor bias = alibi_bias(4, 5, 5);
    ASSERT_TRUE(has_shape(bias, {1, 4, 5, 5}))
        << likely_if(bias.shape() == Shape{4, 5, 5},
                     "the axis of the batch is missing: (1, heads, query, key)")
        << likely_if(bias.shape() == Shape{4, 1, 5, 5},
                     "the heads lie along the axis of the batch: (1, heads, query, key)");
    const float lowest = *std::min_element(bias.values().begin(), bias.values().end());
    if (std::isfinite(lowest) && lowest < -1e9f && lowest > -2e19f) {
        FAIL() << fmt::format("the smallest bias is {:.2g}", lowest)
               << likely_if(true,
                            "i + offset - j is computed in unsigned numbers: where j is larger it wraps to a "
                            "huge one");
    }
    const Tensor expected = golden()["alibi.bias.output"] + 0.0f;  // makes the file's -0 a 0
    EXPECT_TRUE(close(bias, expected, {1e-5, 0}, bias_suspects(4, 5, 5, 0)))
        << likely_if(lowest < -1e4f && close(without_hidden(bias), expected, {1e-5, 0}),
                     "keys in the future are hidden; that is the mask's task, the contract says 0");
    EXPECT_FALSE(bias.requires_grad())
        << likely_if(true, "the bias is fixed: it must not require a gradient");
}

TEST(alibi_bias, queries_begin_at_the_offset) {
    const Tensor bias = alibi_bias(3, 2, 6, 4);
    ASSERT_TRUE(has_shape(bias, {1, 3, 2, 6}));
    const Tensor expected = golden()["alibi.bias.offset.output"] + 0.0f;
    EXPECT_TRUE(close(bias, expected, {1e-5, 0}, bias_suspects(3, 2, 6, 4)));
}

TEST(alibi_bias, queries_may_stand_before_the_last_keys_or_behind_them) {
    const Tensor bias = alibi_bias(3, 2, 6, 1);
    ASSERT_TRUE(has_shape(bias, {1, 3, 2, 6}));
    const auto behind = [](double i, double j) { return -std::max(i - j, 0.0); };
    const Tensor expected = reference_bias(3, 2, 6, 1, behind) + 0.0f;
    ASSERT_TRUE(close_named("2 queries from position 1 on, over 6 keys", bias, expected, {1e-5, 0},
                            {{guessed_offset, [&] { return reference_bias(3, 2, 6, 4, behind); }}}));
    EXPECT_TRUE(close_named("3 queries from position 2 on, over 3 keys", alibi_bias(3, 3, 3, 2),
                            reference_bias(3, 3, 3, 2, behind), {1e-5, 0},
                            {{dropped_offset, [&] { return reference_bias(3, 3, 3, 0, behind); }}}));
    EXPECT_TRUE(close_named("1 query at position 3, over 6 keys", alibi_bias(3, 1, 6, 3),
                            reference_bias(3, 1, 6, 3, behind), {1e-5, 0}))
        << likely_if(true, "a single query, as in a decoder, is at position `offset`, too");
}

TEST(alibi_bias, is_refused_by_the_scores_of_another_number_of_heads) {
    const Tensor bias = alibi_bias(4, 3, 3);
    EXPECT_TRUE(has_shape(alibi_bias(1, 3, 3), {1, 1, 3, 3}))
        << likely_if(bias.rank() == 4, "the axes are dropped where there is 1 head: (1, heads, query, key)");
    ASSERT_TRUE(has_shape(bias, {1, 4, 3, 3}));
    EXPECT_TRUE(has_shape(normal({2, 4, 3, 3}, 5) + bias, {2, 4, 3, 3}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)(normal({2, 3, 3, 3}, 6) + bias);
        },
        {}, "scores of 3 heads + a bias of 4"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_bias(0, 3, 3); }, {}, "0 heads"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_bias(4, 3, 0); }, {}, "0 keys"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)alibi_bias(4, 1ull << 32, 1ull << 32); }, {},
                                    "a bias larger than any memory"));
}

}  // namespace
}  // namespace tfs::test
