// tests/07_block/attend_test.cpp · step attend: PyTorch's values, properties, grouped queries, diagnosis
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tests/07_block/attend_suspects.hpp"
#include "tests/07_block/checklist.hpp"
#include "tests/07_block/grouped_heads.hpp"

#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/memory.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::vector<RotaryCase> rotary_cases() {
    return {{"half_split", RotaryLayout::half_split, std::nullopt},
            {"interleaved", RotaryLayout::interleaved, std::nullopt},
            {"masked", RotaryLayout::half_split, padding() & causal_mask(5)},
            {"dropped", RotaryLayout::half_split, causal_mask(5), 71}};
}

// With the golden weights.
AttentionSublayer rotary_half(RotaryLayout layout, double dropout = 0.0, double theta = 10000.0,
                              std::size_t max_len = 16, std::size_t num_heads = 2) {
    BlockConfig config = small();
    config.num_heads = num_heads;
    config.dropout = dropout;
    config.positions = Rotary{.theta = theta, .layout = layout};
    config.max_len = max_len;
    return made<AttentionSublayer>(config, "attention.");
}

// The two parts, one behind the other, with the weights that were used.
AttentionOutput both_parts(const AttentionSublayer& s, const Tensor& x,
                           const OptionalMask& mask = std::nullopt, Pass pass = {}) {
    pass.keep_weights = Weights::keep;
    const KeysValues own = s.keys_values(x, pass.offset);
    try {
        return s.attend(x, own, mask, pass);
    } catch (const ValueError& error) {
        const std::string told = error.what();
        throw ValueError(
            told +
            likely_if(told.starts_with(fmt::format("apply_rotary: {0} positions from {0} on", x.size(1))),
                      "the queries are turned as if they came after the keys: they begin at pass.offset"));
    }
}

// What a ShapeError of a sublayer on x comes from: that of apply_rotary, or that of attention about the heads that meet.
std::string cause_of(const ShapeError& error, const AttentionSublayer& s, const Tensor& x) {
    const std::string told = error.what();
    const auto turned = [&](std::size_t heads) {
        return told.starts_with(fmt::format("apply_rotary: x ({}, {}, {}, ", x.size(0), heads, x.size(1)));
    };
    const auto sides = std::count(told.begin(), std::find(told.begin(), told.end(), ')'), ',') + 1;
    const bool grouped = s.kv_heads < s.attention.num_heads;
    return likely_if(
               told.starts_with("apply_rotary: x (") && sides == 3,
               "queries or keys are turned before split_heads: positions turn the d_k columns of each head") +
           likely_if(grouped && (turned(s.attention.num_heads) ||
                                 told.starts_with(fmt::format("split_heads: {} heads don't divide",
                                                              s.attention.num_heads))),
                     "keys and values are split into `kv_heads` heads: w_k and w_v make only these") +
           likely_if(grouped && turned(s.kv_heads),
                     "the queries are split into attention.num_heads heads: only keys and values have "
                     "`kv_heads`") +
           likely_if(grouped && told.find("(batch, heads) must agree") != std::string::npos,
                     "the keys and values don't have as many heads as the queries: each of the kv_heads is "
                     "repeated attention.num_heads / kv_heads times");
}

// As above, but for a ShapeError, whose cause is told here.
std::optional<AttentionOutput> parts_or_cause(const AttentionSublayer& s, const Tensor& x,
                                              const OptionalMask& mask) {
    return result_or_failure([&] { return both_parts(s, x, mask); },
                             [&](const ShapeError& error) { return cause_of(error, s, x); });
}

TEST(attend, equals_pytorch) {
    const Tensor x = golden()["x"];
    for (const RotaryCase& c : rotary_cases()) {
        if (c.seed) continue;  // training is another check
        const AttentionSublayer s = rotary_half(c.layout);
        const std::optional<AttentionOutput> result = parts_or_cause(s, x, c.mask);
        if (!result) return;
        const std::string prefix = "rotary." + c.name + ".";
        EXPECT_TRUE(close_named(c.name, result->output, golden()[prefix + "output"], {},
                                rotary_suspects(s.attention, x, c)));
        const Tensor weights = golden()[prefix + "weights"];
        EXPECT_TRUE(
            close_named(c.name + " weights", result->weights, weights, {}, weights_suspects(weights)));
    }
}

// One head is as wide as the model; four have two columns each.
TEST(attend, works_with_any_number_of_heads) {
    const Tensor x = golden()["x"];
    for (const std::size_t heads : {1u, 4u}) {
        const RotaryCase c{std::to_string(heads) + (heads == 1 ? " head" : " heads"),
                           RotaryLayout::half_split, causal_mask(5)};
        const AttentionSublayer s = rotary_half(c.layout, 0.0, 10000.0, 16, heads);
        const std::optional<AttentionOutput> result = parts_or_cause(s, x, c.mask);
        if (!result) return;
        EXPECT_TRUE(close_named(c.name, result->output, rotary_variant(s.attention, x, c.layout, c.mask), {},
                                rotary_suspects(s.attention, x, c)));
        const Tensor weights =
            rotary_heads(s.attention, x, RotaryEmbedding(8 / heads, 16), c.layout, c.mask).weights;
        EXPECT_TRUE(
            close_named(c.name + ", weights", result->weights, weights, {}, weights_suspects(weights)));
    }
}

TEST(attend, without_rotary_positions_is_the_attention_of_chapter_01) {
    const AttentionSublayer s = made<AttentionSublayer>(small(), "attention.");
    const Tensor x = golden()["x"];
    for (const auto& [name, mask] : masks()) {
        const AttentionOutput expected = multi_head(s.attention)(x, x, x, mask),
                              result = both_parts(s, x, mask);
        EXPECT_TRUE(close_named("mask " + name, result.output, expected.output));
        EXPECT_TRUE(close_named("mask " + name + ", weights", result.weights, expected.weights));
    }
}

TEST(attend, drops_weights_as_pytorch_does) {
    const RotaryCase c = rotary_cases().back();
    const AttentionSublayer s = rotary_half(c.layout, 0.25);
    const Tensor x = golden()["x"], output = golden()["rotary.dropped.output"];
    const RotaryEmbedding rotary(4, 16);
    const AttentionOutput plain = rotary_heads(s.attention, x, rotary, c.layout, c.mask);
    const Tensor unmasked = rotary_heads(s.attention, x, rotary, c.layout, std::nullopt).weights;
    const Tensor undropped = s.attention.w_o(merge_heads(plain.output));
    Rng rng(c.seed);
    const AttentionOutput result = both_parts(s, x, c.mask, {.rng = &rng});
    const Tensor& weights = result.weights;
    const bool right = bool(close(result.output, output));
    const bool kept = bool(close(weights, plain.weights));  // as the softmax gave them
    std::vector<Suspect> suspects = rotary_suspects(s.attention, x, c);
    for (const Suspect& dropped : dropout_suspects(s.attention, plain.weights, unmasked, x, c.seed))
        suspects.push_back(dropped);
    suspects.push_back({kept ? "nothing is dropped although there is an Rng: pass.rng is not passed on"
                             : "the weights are dropped after the output was made",
                        [=] { return undropped; }});
    EXPECT_TRUE(close_named("in training", result.output, output, {}, suspects));
    EXPECT_TRUE(close_named("weights in training", weights, golden()["rotary.dropped.weights"], {},
                            {{weights_dropped_twice,
                              [&] {
                                  Rng twice(c.seed);
                                  return dropout(dropout(plain.weights, 0.25, &twice), 0.25, &twice);
                              }}}))
        << likely_if(kept && right, "the weights are those before dropout, not those that were used");
    EXPECT_TRUE(close_named("in evaluation", both_parts(s, x, c.mask).output, undropped))
        << likely_if(right, "dropout is active in evaluation: a null Rng means that nothing is dropped");
}

TEST(attend, turns_by_the_table_of_the_sublayer) {
    const Tensor x = golden()["x"];
    const RotaryLayout layout = RotaryLayout::half_split;
    const AttentionSublayer s = rotary_half(layout, 0.0, 100.0);
    const RotaryEmbedding steep(4, 16, 100.0);
    EXPECT_TRUE(close_named(
        "theta = 100", both_parts(s, x).output,
        s.attention.w_o(merge_heads(rotary_heads(s.attention, x, steep, layout, std::nullopt).output)), {},
        {{"not the table that the sublayer has: use `rotary`, whatever its theta",
          [&] { return rotary_variant(s.attention, x, layout, std::nullopt); }}}));
}

TEST(attend, sends_the_gradients_of_pytorch) {
    for (const RotaryCase& c : rotary_cases()) {
        const AttentionSublayer s = rotary_half(c.layout, c.seed ? 0.25 : 0.0);
        const Tensor x = leaf("x");
        Rng rng(c.seed);
        const Tensor y = both_parts(s, x, c.mask, {.rng = c.seed ? &rng : nullptr}).output;
        Parameters named;
        append(named, "attention", s.attention.parameters());
        expect_gradients("rotary." + c.name + ".", y, x, named);
        if (HasFailure()) break;  // one case tells it
    }
}

TEST(attend, sends_a_gradient_through_the_weights_as_well) {
    const AttentionSublayer s = rotary_half(RotaryLayout::half_split);
    expect_gradient_through_weights("the weights", normal({3, 5, 8}, 12),
                                    [&](const Tensor& x) { return both_parts(s, x).weights; });
}

TEST(attend, depends_on_distances_only) {
    // The same two tokens, three positions later: x is padded in front by tokens that nobody may see.
    const AttentionSublayer s = rotary_half(RotaryLayout::half_split);
    const Tensor x = normal({1, 6, 8}, 2), later = concat({normal({1, 3, 8}, 3), x}, 1);
    xt::xarray<bool> seen = xt::ones<bool>({std::size_t{1}, std::size_t{1}, std::size_t{1}, std::size_t{9}});
    for (std::size_t j = 0; j < 3; ++j) seen.data()[j] = false;
    EXPECT_TRUE(close(slice(both_parts(s, later, Mask(seen)).output, 1, 3, 9), both_parts(s, x).output,
                      {1e-5, 1e-5}));
}

// The keys and values of a sequence, made of its two halves; then the queries of each half, which begin where it begins.
TEST(attend, a_sequence_in_two_halves_gives_what_it_gives_in_one) {
    const Tensor x = normal({3, 11, 8}, 13), first = slice(x, 1, 0, 5), second = slice(x, 1, 5, 11);
    for (const bool turned : {false, true}) {
        const AttentionSublayer s =
            turned ? rotary_half(RotaryLayout::half_split) : made<AttentionSublayer>(small(), "attention.");
        const KeysValues whole = s.keys_values(x);
        const Tensor plain = split_heads(s.attention.w_k(x), s.kv_heads);
        EXPECT_TRUE(close_named(
            "keys", whole.keys, turned ? apply_rotary(plain, *s.rotary, s.layout) : plain, {},
            {{"the keys come unturned out of keys_values: it turns them, at their own positions, and "
              "attend turns the queries alone",
              [&] { return plain; }}}));
        if (HasFailure()) return;
        const KeysValues halves = joined(s.keys_values(first), s.keys_values(second, 5));
        const bool from_zero =
            bool(close(halves.keys, joined(s.keys_values(first), s.keys_values(second)).keys)) && turned;
        EXPECT_TRUE(close_named("keys of two halves", halves.keys, whole.keys)) << likely_if(
            from_zero, "the keys of the second half are turned as if it came first: the offset is not used");
        EXPECT_TRUE(close_named("values of two halves", halves.values, whole.values));
        const Tensor expected = both_parts(s, x, causal_mask(11)).output;
        const auto late = [&](std::size_t offset) {
            return s.attend(second, whole, causal_mask(6, 11, 5), {.offset = offset}).output;
        };
        EXPECT_TRUE(close_named("the first half", s.attend(first, whole, causal_mask(5, 11, 0)).output,
                                slice(expected, 1, 0, 5), {},
                                {{"the queries are taken for the last positions of the keys: pass.offset "
                                  "says where they begin",
                                  [&] { return first_half(s, first, whole, 6); }},
                                 {"the queries are not turned where there are more keys than queries: with a "
                                  "`rotary` they always are",
                                  [&] { return first_half(s, first, whole, std::nullopt); }}}));
        if (HasFailure()) return;
        // Where the keys are right, and a shift of the queries changes nothing.
        const bool same = bool(close(late(5), late(0))) && !from_zero &&
                          bool(close(late(5), s.attend(second, whole, causal_mask(6, 11, 5)).output));
        EXPECT_TRUE(close_named("the second half, at offset 5", late(5), slice(expected, 1, 5, 11)))
            << likely_if(turned && same,
                         "the queries are turned as if they came first: pass.offset is not used");
    }
}

// The whole sequence, and its second half behind the keys of the first one.
TEST(attend, adds_the_bias_of_alibi) {
    BlockConfig config = small();
    config.positions = Alibi{};
    const AttentionSublayer s = made<AttentionSublayer>(config, "attention.");
    const Tensor x = normal({3, 11, 8}, 14), second = slice(x, 1, 5, 11);
    const Projections& made_by = s.attention;
    const auto expected = [&](const std::optional<Tensor>& bias) {
        const auto heads = [&](const Linear& projection) { return split_heads(projection(x), 2); };
        const Tensor attended = scaled_dot_product_attention(heads(made_by.w_q), heads(made_by.w_k),
                                                             heads(made_by.w_v), causal_mask(11), bias)
                                    .output;
        return made_by.w_o(merge_heads(attended));  // (batch, query, d_model)
    };
    const Tensor right = expected(alibi_bias(2, 11, 11));
    const std::string left_out =
        "bias_of(x.size(1), given) is not passed on: with ALiBi it is added to the scores, and it is new in "
        "this contract";
    EXPECT_TRUE(close_named("a whole sequence", both_parts(s, x, causal_mask(11)).output, right, {},
                            {{left_out, [&] { return expected({}); }}}));
    if (HasFailure()) return;
    const auto late = result_or_failure(
        [&] { return s.attend(second, s.keys_values(x), causal_mask(6, 11, 5), {.offset = 5}).output; },
        [](const ShapeError& error) {
            return likely_if(std::string(error.what()).find("(1, 2, 11, 11)") != std::string::npos,
                             "the bias of ALiBi has a row for each query, here 6, not for each of the 11 "
                             "keys: bias_of(x.size(1), given)");
        });
    if (!late) return;
    EXPECT_TRUE(close_named("its second half", *late, slice(right, 1, 5, 11)));
}

TEST(attend, rows_of_a_batch_may_begin_at_different_positions) {
    const AttentionSublayer s = rotary_half(RotaryLayout::half_split);
    const Tensor x = normal({2, 3, 8}, 15);
    const KeysValues given = s.keys_values(normal({2, 8, 8}, 16));
    const auto row = [](const Tensor& t, std::size_t i) { return slice(t, 0, i, i + 1); };
    const auto keys = [&](const Tensor& of, const Offset& offset) { return s.keys_values(of, offset).keys; };
    const auto output = [&](const Tensor& of, const KeysValues& read, const Offset& offset) {
        return s.attend(of, read, std::nullopt, {.offset = offset}).output;
    };
    const auto output_of_row = [&](std::size_t i, std::size_t offset) {
        return output(row(x, i), {row(given.keys, i), row(given.values, i)}, offset);
    };
    const Offset begins(std::vector<std::size_t>{1, 4});
    const std::string one_for_all =
        "all rows of the batch are turned from the same position; an Offset may hold one for each row: hand "
        "it on as it is";
    EXPECT_TRUE(
        close_named("keys of rows at positions 1 and 4", keys(x, begins),
                    concat({keys(row(x, 0), 1), keys(row(x, 1), 4)}, 0), {},
                    {{one_for_all, [&] { return keys(x, 4); }}, {one_for_all, [&] { return keys(x, 1); }}}));
    EXPECT_TRUE(close_named("output of rows at positions 1 and 4", output(x, given, begins),
                            concat({output_of_row(0, 1), output_of_row(1, 4)}, 0), {},
                            {{one_for_all, [&] { return output(x, given, 4); }},
                             {one_for_all, [&] { return output(x, given, 1); }}}));
}

// The caller has put the keys of the cache in front already.
TEST(attend, leaves_the_cache_alone) {
    const AttentionSublayer s = rotary_half(RotaryLayout::half_split);
    const Tensor x = normal({2, 3, 8}, 17), before = normal({2, 5, 8}, 18);
    SameEarlier earlier(s.keys_values(before));
    const KeysValues all = joined(s.keys_values(before), s.keys_values(x, 5));
    const Tensor expected = s.attend(x, all, std::nullopt, {.offset = 5}).output;
    const std::optional<AttentionOutput> found =
        result_or_failure([&] { return s.attend(x, all, std::nullopt, {.offset = 5, .earlier = &earlier}); },
                          [](const ShapeError&) { return std::string(); });
    const std::string cause =
        "attend puts the keys and values of the cache in front; `given` contains them already, so leave "
        "pass.earlier alone";
    EXPECT_TRUE(earlier.asked.empty()) << "attend asks pass.earlier" << likely_if(true, cause);
    if (!found) return;
    EXPECT_TRUE(close_named("output with pass.earlier", found->output, expected));
}

TEST(attend, attends_to_what_is_given_and_not_to_x) {
    const AttentionSublayer s = made<AttentionSublayer>(small(), "attention.");
    const Tensor x = golden()["x"], other = normal({3, 7, 8}, 4);
    const Mask mask =
        Mask::from({3, 1, 1, 7}, {1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0});
    EXPECT_TRUE(close_named("keys and values of another tensor", s.attend(x, s.keys_values(other)).output,
                            multi_head(s.attention)(x, other, other).output, {},
                            {{"keys and values are made of x anew: those that are given must be used",
                              [&] { return multi_head(s.attention)(x, x, x).output; }}}));
    if (HasFailure()) return;
    const Tensor one = slice(x, 1, 0, 1);
    EXPECT_TRUE(close_named("one query, under a mask", s.attend(one, s.keys_values(other), mask).output,
                            multi_head(s.attention)(one, other, other, mask).output, {},
                            {{"the mask is not passed on where there is one query",
                              [&] { return multi_head(s.attention)(one, other, other).output; }}}));
}

// The step may read no weights where nobody asks for them: those of attention are missing then.
TEST(attend, where_nobody_reads_the_weights_the_output_stays_the_same) {
    const AttentionSublayer s = rotary_half(RotaryLayout::half_split);
    const Tensor x = golden()["x"], expected = both_parts(s, x, causal_mask(5)).output;
    const NoGrad no_grad;
    try {
        const AttentionOutput result = s.attend(x, s.keys_values(x), causal_mask(5));
        EXPECT_TRUE(close(result.output, expected, {0, 0}));
    } catch (const ShapeError& error) {
        ADD_FAILURE() << error.what()
                      << likely_if(true,
                                   "the step reads the weights: it returns them as attention_with_dropout "
                                   "gives them, without a look at their values");
    }
}

// 2048 positions have 33 MB of weights in two heads. Freed memory stays resident, so that it is seen afterwards.
TEST(attend, where_nobody_reads_the_weights_memory_does_not_grow_with_the_square_of_the_length) {
    const AttentionSublayer s = made<AttentionSublayer>(small(), "attention.");
    const NoGrad no_grad;
    const Tensor little = normal({1, 16, 8}, 5), much = normal({1, 2048, 8}, 6);
    const auto run_with = [&](Weights weights) {
        return [&, weights](std::size_t i) {
            const Tensor& x = i == 0 ? little : much;
            (void)s.attend(x, s.keys_values(x), std::nullopt, {.keep_weights = weights});
        };
    };
    EXPECT_TRUE(resident_size_stays_flat(run_with(Weights::none), 1, 1, 8L << 20))
        << likely_if(true, "the weights are kept although nobody asks for them: hand pass.keep_weights on");
    if (HasFailure()) return;
    const auto with = resident_size_stays_flat(run_with(Weights::keep), 1, 1, 8L << 20);
    EXPECT_TRUE(!with || std::string(with.message()) == "not measured") << "weights that are kept are seen";
}

TEST(attend, keeps_keys_and_values_of_few_heads) {
    const Tensor x = normal({5, 7, 24}, 2);
    for (const std::size_t kv_heads : {1u, 2u, 3u}) {
        const AttentionSublayer half = grouped_half(kv_heads);
        const auto own = result_or_failure([&] { return half.keys_values(x); },
                                           [&](const ShapeError& error) { return cause_of(error, half, x); });
        if (!own) return;
        for (const Tensor t : {own->keys, own->values}) {
            const Shape few{5, kv_heads, 7, 4};
            ASSERT_EQ(t.shape(), few) << likely_if(
                t.shape() == Shape{5, 6, 7, 4},
                "keys_values repeats the heads: repeat them in attend, so that a caller keeps few");
        }
    }
}

TEST(attend, groups_of_queries_share_keys_and_values) {
    const Tensor x = normal({5, 7, 24}, 3);
    for (const std::size_t kv_heads : {1u, 2u, 3u, 6u})
        for (const OptionalMask& mask : {OptionalMask(), OptionalMask(causal_mask(7))}) {
            const AttentionSublayer half = grouped_half(kv_heads), whole = written_out(half);
            const std::optional<AttentionOutput> result = parts_or_cause(half, x, mask);
            if (!result) return;
            const AttentionOutput expected = plain_attention(whole, x, mask);
            const std::string name =
                fmt::format("{} heads of keys for 6{}", kv_heads, mask ? ", causal" : "");
            ASSERT_TRUE(
                close_named(name, result->output, projected(whole, expected), {},
                            {{"the heads are repeated in turn, a b a b; neighbours share one: a a b b", [&] {
                                  const AttentionSublayer other = written_out(half, true);
                                  return projected(other, plain_attention(other, x, mask));
                              }}}));
            ASSERT_TRUE(close_named(name + ", weights", result->weights, expected.weights));
        }
}

TEST(attend, a_shared_head_gets_the_gradient_of_all_its_queries) {
    const AttentionSublayer half = grouped_half(2), whole = written_out(half);
    const Tensor x = normal({1, 5, 24}, 4), upstream = normal({1, 5, 24}, 5);
    const std::optional<AttentionOutput> result = parts_or_cause(half, x, std::nullopt);
    if (!result) return;
    ASSERT_TRUE(send_back(result->output, upstream));
    const Array mine_k = half.attention.w_k.weight.grad(), mine_v = half.attention.w_v.weight.grad();
    for (NamedTensor parameter : half.attention.parameters()) parameter.tensor.clear_grad();
    // written_out is recorded, so that its gradients arrive at the same weights.
    ASSERT_TRUE(send_back(projected(whole, plain_attention(whole, x, std::nullopt)), upstream));
    EXPECT_TRUE(close_named("gradient of w_k", Tensor(mine_k), Tensor(half.attention.w_k.weight.grad())));
    EXPECT_TRUE(close_named("gradient of w_v", Tensor(mine_v), Tensor(half.attention.w_v.weight.grad())));
}

TEST(attend, refuses_what_does_not_fit) {
    const AttentionSublayer s = rotary_half(RotaryLayout::half_split, 0.0, 10000.0, 6);
    const std::string not_by_it =
        "the heads are not turned, or the offset is not used, or it is not the table of the sublayer";
    const auto run = [&](std::size_t seq, const OptionalMask& mask, std::size_t offset = 0) {
        both_parts(s, normal({3, seq, 8}, 4), mask, {.offset = offset});
    };
    run(6, causal_mask(6));
    EXPECT_TRUE(refuses<ValueError>([&] { run(7, std::nullopt); }, {"7", "6"},
                                    "a sequence longer than the table", not_by_it));
    EXPECT_TRUE(refuses<ValueError>([&] { run(5, std::nullopt, 2); }, {"2", "6"},
                                    "5 positions from the third on, longer than the table", not_by_it));
    EXPECT_TRUE(refuses<ShapeError>([&] { run(6, causal_mask(5)); }, {"(1, 1, 5, 5)", "(3, 2, 6, 6)"},
                                    "a mask of another length", "the mask is not passed on"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)s.keys_values(normal({3, 5, 10}, 1));
        },
        {"(3, 5, 10)", "8"}, "x of width 10"));
}

}  // namespace
}  // namespace tfs::test
