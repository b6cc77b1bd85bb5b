// tests/07_block/attend_test.cpp · step attend: PyTorch's values, a plain reference, properties
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/07_block/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/multi_head.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

BlockConfig with_positions(const PositionChoice& positions, std::size_t num_heads = 2, double dropout = 0) {
    BlockConfig config = small();
    config.num_heads = num_heads;
    config.dropout = dropout;
    config.positions = positions;
    config.max_len = 16;
    return config;
}
AttentionSublayer half_of(const BlockConfig& config) { return made<AttentionSublayer>(config, "attention."); }
AttentionSublayer rotary_half() { return half_of(with_positions(Rotary{})); }

// With weights and biases of its own.
AttentionSublayer grouped_half(std::size_t kv_heads) {
    Rng rng(9);
    AttentionSublayer half(grouped_config(kv_heads), rng);
    for (Linear* linear : {&half.attention.w_q, &half.attention.w_k, &half.attention.w_v})
        linear->bias->mutable_array() = normal(linear->bias->shape(), 10).array();
    return half;
}

// The two parts, one behind the other, with the weights that were used.
AttentionOutput both_parts(const AttentionSublayer& s, const Tensor& x,
                           const OptionalMask& mask = std::nullopt, Pass pass = {}) {
    pass.keep_weights = Weights::keep;
    return s.attend(x, s.keys_values(x, pass.offset), mask, pass);
}

// The same of a whole sequence, written out: every head of queries has a copy of its keys and values.
struct WrittenOut {
    Tensor keys, values;  // of few heads
    AttentionOutput result;
};
WrittenOut written_out(const AttentionSublayer& s, const Tensor& x, const OptionalMask& mask) {
    const std::size_t heads = s.attention.num_heads;
    const auto turned = [&](const Tensor& t) { return s.rotary ? apply_rotary(t, *s.rotary, s.layout) : t; };
    const auto for_each_head = [&](const Tensor& t) {
        std::vector<Tensor> copies;
        for (std::size_t h = 0; h < heads; ++h) {
            const std::size_t shared = h * s.kv_heads / heads;
            copies.push_back(slice(t, 1, shared, shared + 1));
        }
        return concat(copies, 1);
    };
    const Tensor keys = turned(split_heads(s.attention.w_k(x), s.kv_heads)),
                 values = split_heads(s.attention.w_v(x), s.kv_heads);
    std::optional<Tensor> bias;
    if (s.alibi) bias = alibi_bias(heads, x.size(1), x.size(1));
    const auto [sums, weights] =
        scaled_dot_product_attention(turned(split_heads(s.attention.w_q(x), heads)), for_each_head(keys),
                                     for_each_head(values), mask, bias);
    return {keys, values, {s.attention.w_o(merge_heads(sums)), weights}};
}

void expect_written_out(const std::string& name, const AttentionSublayer& s, const Tensor& x) {
    for (const OptionalMask& mask : {OptionalMask(), OptionalMask(causal_mask(x.size(1)))}) {
        const AttentionOutput result = both_parts(s, x, mask), expected = written_out(s, x, mask).result;
        const std::string what = name + (mask ? ", causal" : "");
        EXPECT_TRUE(close_named(what, result.output, expected.output));
        EXPECT_TRUE(close_named(what + ", weights", result.weights, expected.weights));
    }
}

struct RotaryCase {
    std::string name;
    RotaryLayout layout;
    OptionalMask mask;
    std::uint64_t seed = 0;  // of the dropout; 0: none
};
const std::vector<RotaryCase>& rotary_cases() {
    static const std::vector<RotaryCase> cases{{"half_split", RotaryLayout::half_split, std::nullopt},
                                               {"interleaved", RotaryLayout::interleaved, std::nullopt},
                                               {"masked", RotaryLayout::half_split, masks()[3].second},
                                               {"dropped", RotaryLayout::half_split, causal_mask(5), 71}};
    return cases;
}
AttentionSublayer half_of(const RotaryCase& c) {
    return half_of(with_positions(Rotary{.layout = c.layout}, 2, c.seed ? 0.25 : 0.0));
}

TEST(attend, equals_pytorch) {
    for (const RotaryCase& c : rotary_cases()) {
        if (c.seed) continue;  // training is another check
        const AttentionOutput result = both_parts(half_of(c), golden()["x"], c.mask);
        EXPECT_TRUE(close_named(c.name, result.output, golden()["rotary." + c.name + ".output"]));
        EXPECT_TRUE(
            close_named(c.name + ", weights", result.weights, golden()["rotary." + c.name + ".weights"]));
    }
}

TEST(attend, drops_weights_as_pytorch_does) {
    const RotaryCase& c = rotary_cases().back();
    const AttentionSublayer s = half_of(c);
    const Tensor x = golden()["x"];
    Rng rng(c.seed);
    const AttentionOutput result = both_parts(s, x, c.mask, {.rng = &rng});
    EXPECT_TRUE(close_named("in training", result.output, golden()["rotary.dropped.output"]));
    EXPECT_TRUE(close_named("weights in training", result.weights, golden()["rotary.dropped.weights"]));
    Rng same(c.seed);
    (void)same.bernoulli_array({3, 2, 5, 5}, 0.75);
    EXPECT_EQ(rng.uniform(), same.uniform()) << "the next number of pass.rng: dropout draws once, from it";
    EXPECT_TRUE(close_named("in evaluation", both_parts(s, x, c.mask).output,
                            written_out(s, x, c.mask).result.output));
}

TEST(attend, sends_the_gradients_of_pytorch) {
    for (const RotaryCase& c : rotary_cases()) {
        const AttentionSublayer s = half_of(c);
        const Tensor x = leaf("x");
        Rng rng(c.seed);
        const Tensor y = both_parts(s, x, c.mask, {.rng = c.seed ? &rng : nullptr}).output;
        Parameters named;
        append(named, "attention", s.attention.parameters());
        expect_gradients("rotary." + c.name + ".", y, x, named);
    }
}

TEST(attend, sends_a_gradient_through_the_weights_as_well) {
    const AttentionSublayer s = rotary_half();
    expect_gradient_through_weights("the weights", normal({1, 5, 8}, 12),
                                    [&](const Tensor& x) { return both_parts(s, x).weights; });
}

// One head is as wide as the model; four have two columns each.
TEST(attend, works_with_any_number_of_heads) {
    for (const std::size_t heads : {1u, 4u})
        expect_written_out(fmt::format("{} heads", heads), half_of(with_positions(Rotary{}, heads)),
                           normal({3, 6, 8}, 1));
}

TEST(attend, works_with_all_positions) {
    for (const auto& [name, positions] :
         {std::pair<std::string, PositionChoice>{"no positions", NoPositions{}},
          {"theta = 100", Rotary{.theta = 100.0}},
          {"ALiBi", Alibi{}}})
        expect_written_out(name, half_of(with_positions(positions)), normal({3, 6, 8}, 2));
}

TEST(attend, groups_of_queries_share_keys_and_values) {
    for (const std::size_t kv_heads : {1u, 2u, 3u, 6u})
        expect_written_out(fmt::format("{} heads of keys for 6", kv_heads), grouped_half(kv_heads),
                           normal({5, 7, 24}, 3));
}

TEST(attend, keeps_keys_and_values_of_few_heads) {
    const Tensor x = normal({5, 7, 24}, 4);
    for (const std::size_t kv_heads : {1u, 2u, 3u}) {
        const AttentionSublayer half = grouped_half(kv_heads);
        const KeysValues own = half.keys_values(x);
        const WrittenOut expected = written_out(half, x, std::nullopt);
        EXPECT_TRUE(close_named(fmt::format("keys of {} heads", kv_heads), own.keys, expected.keys));
        EXPECT_TRUE(close_named(fmt::format("values of {} heads", kv_heads), own.values, expected.values));
    }
}

TEST(attend, a_shared_head_gets_the_gradient_of_all_its_queries) {
    const AttentionSublayer half = grouped_half(2), same = grouped_half(2);
    const Tensor x = normal({1, 5, 24}, 5), upstream = normal({1, 5, 24}, 6);
    ASSERT_TRUE(send_back(both_parts(half, x).output, upstream));
    ASSERT_TRUE(send_back(written_out(same, x, std::nullopt).result.output, upstream));
    for (Linear Projections::*projection : {&Projections::w_k, &Projections::w_v})
        EXPECT_TRUE(gradient_close(projection == &Projections::w_k ? "w_k" : "w_v",
                                   (half.attention.*projection).weight,
                                   Tensor((same.attention.*projection).weight.grad())));
}

// The keys and values of a sequence, made of its two halves; then the queries of each half, which begin where it begins.
TEST(attend, a_sequence_in_two_halves_gives_what_it_gives_in_one) {
    const Tensor x = normal({3, 11, 8}, 13), first = slice(x, 1, 0, 5), second = slice(x, 1, 5, 11);
    for (const auto& [name, positions] :
         {std::pair<std::string, PositionChoice>{"no positions: ", NoPositions{}},
          {"rotary: ", Rotary{}},
          {"ALiBi: ", Alibi{}}}) {
        const AttentionSublayer s = half_of(with_positions(positions));
        const WrittenOut expected = written_out(s, x, causal_mask(11));
        const KeysValues halves = joined(s.keys_values(first), s.keys_values(second, 5));
        EXPECT_TRUE(close_named(name + "keys of two halves", halves.keys, expected.keys));
        EXPECT_TRUE(close_named(name + "values of two halves", halves.values, expected.values));
        const KeysValues whole{expected.keys, expected.values};
        const auto attend = [&](const Tensor& queries, std::size_t offset) {
            return s.attend(queries, whole, causal_mask(queries.size(1), 11, offset), {.offset = offset})
                .output;
        };
        if (!s.alibi) {  // whose queries are the last ones
            EXPECT_TRUE(close_named(name + "the first half", attend(first, 0),
                                    slice(expected.result.output, 1, 0, 5)));
        }
        EXPECT_TRUE(close_named(name + "the second half, at offset 5", attend(second, 5),
                                slice(expected.result.output, 1, 5, 11)));
    }
}

TEST(attend, rows_of_a_batch_may_begin_at_different_positions) {
    const AttentionSublayer s = rotary_half();
    const Tensor x = normal({3, 4, 8}, 15), keys = normal({3, 2, 8, 4}, 16),
                 values = normal({3, 2, 8, 4}, 17);
    const std::vector<std::size_t> begins{4, 1, 6};
    std::vector<Tensor> own_keys, outputs;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const auto row = [&](const Tensor& t) { return slice(t, 0, i, i + 1); };
        own_keys.push_back(
            apply_rotary(split_heads(s.attention.w_k(row(x)), 2), *s.rotary, s.layout, begins[i]));
        const Tensor queries =
            apply_rotary(split_heads(s.attention.w_q(row(x)), 2), *s.rotary, s.layout, begins[i]);
        outputs.push_back(s.attention.w_o(
            merge_heads(scaled_dot_product_attention(queries, row(keys), row(values)).output)));
    }
    EXPECT_TRUE(close_named("keys of rows at positions 4, 1 and 6", s.keys_values(x, begins).keys,
                            concat(own_keys, 0)));
    EXPECT_TRUE(close_named("output of rows at positions 4, 1 and 6",
                            s.attend(x, {keys, values}, std::nullopt, {.offset = begins}).output,
                            concat(outputs, 0)));
}

// The caller has put the keys of the cache in front already.
TEST(attend, leaves_the_cache_alone) {
    const AttentionSublayer s = rotary_half();
    const Tensor x = normal({2, 3, 8}, 17);
    SameEarlier earlier({normal({2, 2, 5, 4}, 18), normal({2, 2, 5, 4}, 19)});
    const KeysValues all{normal({2, 2, 8, 4}, 20), normal({2, 2, 8, 4}, 21)};
    const Tensor expected = s.attend(x, all, std::nullopt, {.offset = 5}).output;
    EXPECT_TRUE(close_named("output with pass.earlier",
                            s.attend(x, all, std::nullopt, {.offset = 5, .earlier = &earlier}).output,
                            expected));
    EXPECT_EQ(earlier.asked.size(), 0u) << "times that attend asks pass.earlier";
}

TEST(attend, attends_to_what_is_given_and_not_to_x) {
    const AttentionSublayer s = half_of(with_positions(NoPositions{}));
    const Tensor x = normal({3, 5, 8}, 22), other = normal({3, 7, 8}, 4), one = slice(x, 1, 0, 1);
    const Mask mask =
        Mask::from({3, 1, 1, 7}, {1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0});
    for (const auto& [name, queries, seen] :
         {std::tuple<std::string, Tensor, OptionalMask>{"keys and values of another tensor", x, std::nullopt},
          {"one query", one, std::nullopt},
          {"one query, under a mask", one, mask}})
        EXPECT_TRUE(close_named(name, s.attend(queries, s.keys_values(other), seen).output,
                                multi_head(s.attention)(queries, other, other, seen).output));
}

// The fast attention returns no weights then, so that memory does not grow with the square of the length.
TEST(attend, where_nobody_reads_the_weights_they_are_those_of_attention_with_dropout) {
    const AttentionSublayer s = rotary_half();
    const Tensor x = normal({3, 5, 8}, 23), heads = normal({3, 2, 5, 4}, 24);
    const Shape expected =
        attention_with_dropout(heads, heads, heads, std::nullopt, 0.0, nullptr, std::nullopt, Weights::none)
            .weights.shape();
    const AttentionOutput result = s.attend(x, s.keys_values(x));
    EXPECT_EQ(result.weights.shape(), expected) << "the shape of the weights";
    EXPECT_TRUE(close(result.output, written_out(s, x, std::nullopt).result.output));
}

TEST(attend, refuses_what_does_not_fit) {
    BlockConfig config = with_positions(Rotary{});
    config.max_len = 6;
    const AttentionSublayer s = half_of(config);
    const auto run = [&](std::size_t seq, const OptionalMask& mask, std::size_t offset = 0) {
        return [&s, seq, mask, offset] { both_parts(s, normal({3, seq, 8}, 4), mask, {.offset = offset}); };
    };
    run(6, causal_mask(6))();
    EXPECT_TRUE(
        refuses<ValueError>(run(7, std::nullopt), {"7", "6"}, "a sequence longer than the table of rotary"));
    EXPECT_TRUE(refuses<ValueError>(run(5, std::nullopt, 2), {"2", "6"},
                                    "5 positions from the third on, where the table of rotary has 6"));
    EXPECT_TRUE(refuses<ShapeError>(run(6, causal_mask(5)), {"(1, 1, 5, 5)", "(3, 2, 6, 6)"},
                                    "a mask of another length"));
}

}  // namespace
}  // namespace tfs::test
