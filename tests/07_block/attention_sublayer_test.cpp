// tests/07_block/attention_sublayer_test.cpp · step attention_sublayer: PyTorch's values, properties, diagnosis
#include "tests/07_block/attention_suspects.hpp"
#include "tests/07_block/checklist.hpp"

#include <fmt/format.h>

#include "common/show/summary.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

AttentionSublayer attention_half(const BlockConfig& config) {
    return made<AttentionSublayer>(config, "attention.");
}

TEST(attention_sublayer, equals_pytorch_in_both_places_of_the_norm) {
    for (const NormPosition position : both_positions) {
        const AttentionSublayer sublayer = attention_half(small(position));
        const Tensor x = leaf("x");
        const Tensor y = sublayer(x, causal_mask(5)).output;
        const std::string prefix = "attention." + name_of(position) + ".";
        EXPECT_TRUE(close_named(name_of(position), y, golden()[prefix + "output"], {},
                                attention_suspects(sublayer, x, causal_mask(5))));
        if (HasFailure()) break;  // one place tells it
        expect_gradients(prefix, y, x, {});
    }
}

TEST(attention_sublayer, equals_its_parts_under_every_mask) {
    const Tensor x = golden()["x"];
    for (const NormPosition position : both_positions) {
        const AttentionSublayer s = attention_half(small(position));
        for (const auto& [name, mask] : masks()) {
            const AttentionOutput result = s(x, mask);
            const Tensor input = position == NormPosition::pre ? s.norm(x) : x;
            const AttentionOutput attended = s.attention(input, input, input, mask);
            const Tensor expected =
                position == NormPosition::pre ? x + attended.output : s.norm(x + attended.output);
            const std::string what = name_of(position) + ", mask " + name;
            std::vector<Suspect> others = weights_suspects(attended.weights);
            others.push_back(
                {"the weights are those of x without its norm: the call that gives the output gives them",
                 [&, &mask = mask] { return s.attention(x, x, x, mask).weights; }});
            EXPECT_TRUE(close_named(what, result.output, expected, {}, attention_suspects(s, x, mask)));
            if (HasFailure()) return;  // wrong weights would only say it again
            EXPECT_TRUE(close_named(what + ", weights", result.weights, attended.weights, {}, others));
        }
    }
}

TEST(attention_sublayer, works_with_one_head) {
    BlockConfig config = small();
    config.num_heads = 1;
    const AttentionSublayer s = attention_half(config);
    const Tensor x = golden()["x"], n = s.norm(x);
    const AttentionOutput attended = s.attention(n, n, n, causal_mask(5)), result = s(x, causal_mask(5));
    EXPECT_TRUE(close_named("output", result.output, x + attended.output, {},
                            attention_suspects(s, x, causal_mask(5))));
    EXPECT_TRUE(close_named("weights", result.weights, attended.weights));
}

TEST(attention_sublayer, sends_a_gradient_through_the_weights_as_well) {
    for (const NormPosition position : both_positions) {
        const AttentionSublayer s = attention_half(small(position));
        expect_gradient_through_weights("the weights", normal({2, 3, 8}, 12),
                                        [&](const Tensor& x) { return s(x).weights; });
        if (HasFailure()) break;  // one case tells it
    }
}

TEST(attention_sublayer, has_rotary_positions_where_the_config_has_them) {
    const Tensor x = golden()["x"];
    for (const RotaryLayout layout : {RotaryLayout::half_split, RotaryLayout::interleaved}) {
        BlockConfig config = small_llama();
        config.rotary->layout = layout;
        const AttentionSublayer s = attention_half(config);
        const auto with = [&](RotaryLayout pairs, int turns, const OptionalMask& mask) {
            return [=] { return x + rotary_variant(s.attention, s.norm(x), pairs, mask, {turns, turns}); };
        };
        const bool half = layout == RotaryLayout::half_split;
        const RotaryLayout other = half ? RotaryLayout::interleaved : RotaryLayout::half_split;
        EXPECT_TRUE(close_named(
            half ? "half split" : "interleaved", s(x, causal_mask(5)).output,
            with(layout, 1, causal_mask(5))(), {},
            {{"no rotary positions although the config has them", with(layout, 0, causal_mask(5))},
             {"pairs of the other layout: `layout` is not passed on", with(other, 1, causal_mask(5))},
             {"the mask is not passed on to attend", with(layout, 1, std::nullopt)}}));
    }
}

TEST(attention_sublayer, drops_weights_and_what_it_adds) {
    const Tensor x = golden()["x"];
    for (BlockConfig config : {small(), small(NormPosition::post), small_llama()}) {
        const AttentionSublayer undropped = attention_half(config);
        config.dropout = 0.25;
        const AttentionSublayer s = attention_half(config);
        const auto attend = [=](const Tensor& t, const Rates& rates, Rng* rng) -> AttentionOutput {
            const KeysValues own = s.keys_values(t);
            Tensor weights = s.attend(t, own).weights;
            for (const double rate : rates) weights = dropout(weights, rate, rng);
            return {s.attention.w_o(merge_heads(matmul(weights, own.values))), weights};
        };
        const auto output = [=](const Tensor& t, const Rates& rates, Rng* rng) {
            return attend(t, rates, rng).output;
        };
        const auto half = [&](const Tensor& t, Rng* rng) { return s(t, std::nullopt, rng).output; };
        const auto right = drops_in_both_places(half, s.parameters(), config.norm_position, s.norm, output,
                                                "the weights are");
        EXPECT_TRUE(right);
        const Sublayer in_evaluation = [&](const Tensor&t) { return output(t, {}, nullptr); },
                       scaled = [&](const Tensor&t) {
                           const KeysValues own = s.keys_values(t);
                           const Tensor weights = s.attend(t, own).weights * 0.75f;
                           return s.attention.w_o(merge_heads(matmul(weights, own.values)));
                       };
        EXPECT_TRUE(evaluates(half, undropped(x).output, s.position, s.norm, in_evaluation, scaled));
        if (!right) break;
        Rng rng(5), same(5);
        const Tensor weights = s(x, std::nullopt, &rng).weights;
        const Tensor input = config.norm_position == NormPosition::pre ? s.norm(x) : x;
        const Tensor used = attend(input, {0.25}, &same).weights;
        EXPECT_TRUE(close_named("weights in training", weights, used, {},
                                dropped_weights_suspects(attend, x, input, used)));
    }
}

TEST(attention_sublayer, computes_the_norm_once) {
    const AttentionSublayer s = attention_half(small());
    const Tensor x = leaf("x"), n = s.norm(x);
    const Tensor y = s(x).output, expected = x + s.attention(n, n, n).output;
    const std::size_t kept = tape_bytes(y), once = tape_bytes(expected);
    EXPECT_TRUE(kept == once)
        << fmt::format("the tape keeps {} bytes, and {} with one norm", with_separators(kept),
                       with_separators(once))
        << likely_if(
               kept > once && close(y, expected),
               "norm(x) is computed more than once: the lambda's input is normed already, and q, k and v "
               "are made of that one tensor");
}

const std::string keys_from_0 = "pass.offset is not passed on to keys_values",
                  queries_from_0 = "pass.offset is not passed on to attend: hand it the pass";
const std::string asked_twice =
    "pass.all is called more than once: call it once, and hand its result to attend";

// Keys and values of the positions before x, kept by the caller, come in front of those of x.
TEST(attention_sublayer, a_sequence_in_two_halves_gives_what_it_gives_in_one) {
    const Tensor x = golden()["x"], first = slice(x, 1, 0, 3), second = slice(x, 1, 3, 5);
    for (const BlockConfig& config : {small(), small(NormPosition::post), small_llama()}) {
        const AttentionSublayer s = attention_half(config);
        const Tensor expected = s(x, causal_mask(5)).output;
        const bool pre = config.norm_position == NormPosition::pre;
        const KeysValues earlier = s.keys_values(pre ? s.norm(first) : first);
        Pass pass(nullptr, 3);
        EXPECT_EQ(pass.keys(2), 2u);
        std::size_t asked = 0;
        bool right_layer = true;
        pass.layer = 7;
        pass.with_earlier = [&](std::size_t layer, const KeysValues& own) -> KeysValues {
            ++asked;
            right_layer = right_layer && layer == pass.layer;
            return {concat({earlier.keys, own.keys}, 2), concat({earlier.values, own.values}, 2)};
        };
        EXPECT_EQ(pass.keys(2), 5u);
        EXPECT_TRUE(close_named("the first half", s(first, causal_mask(3)).output, slice(expected, 1, 0, 3)));
        if (HasFailure()) return;
        try {
            const Tensor late = s(second, causal_mask(2, 5, 3), pass).output;
            EXPECT_LE(asked, 1u) << "questions for earlier keys and values, which are kept each time"
                                 << likely_if(asked > 1, asked_twice);
            EXPECT_TRUE(right_layer) << "the layer whose earlier keys and values are asked for"
                                     << likely_if(true,
                                                  "they are asked for under another number than pass.layer: "
                                                  "pass.all hands it on");
            if (HasFailure()) return;
            Pass not_moved = pass;
            not_moved.offset = 0;
            const bool unmoved = bool(close(late, s(second, causal_mask(2, 5, 3), not_moved).output));
            const auto with = [&](std::size_t keys_at, std::size_t queries_at, const OptionalMask& mask) {
                return [&, keys_at, queries_at, mask] {
                    const Sublayer attend = [&](const Tensor& t) {
                        const KeysValues all = pass.with_earlier(0, s.keys_values(t, keys_at));
                        return s.attend(t, all, mask, {nullptr, queries_at}).output;
                    };
                    return norm_and_add(s.position, s.norm, second, attend, 0.0, nullptr);
                };
            };
            EXPECT_TRUE(close_named(
                "the second half, with the keys and values of the first", late, slice(expected, 1, 3, 5), {},
                {{keys_from_0, with(0, 3, causal_mask(2, 5, 3))},
                 {queries_from_0, with(3, 0, causal_mask(2, 5, 3))},
                 {"the mask is not passed on where keys came before", with(3, 3, std::nullopt)}}))
                << likely_if(config.rotary && unmoved, "pass.offset is not used");
        } catch (const ShapeError& error) {
            const bool alone = std::string(error.what()).find("(2, 2, 2, 2)") != std::string::npos;
            const bool twice = std::string(error.what()).find("(2, 2, 2, 7)") != std::string::npos;
            ADD_FAILURE() << error.what()
                          << likely_if(alone,
                                       "x attends to itself alone: take pass.all(…) of its keys and values")
                          << likely_if(twice,
                                       "the keys of x are there twice: pass.all gives the earlier ones, "
                                       "followed by those of x")
                          << likely_if(asked > 1, asked_twice);
        }
    }
}

// Rotary positions depend on distances alone.
TEST(attention_sublayer, alone_gives_the_same_wherever_it_begins) {
    const AttentionSublayer s = attention_half(small_llama());
    const Tensor x = golden()["x"];
    const auto with = [&](std::size_t keys_at, std::size_t queries_at) {
        return [&, keys_at, queries_at] {
            const Tensor n = s.norm(x);
            return x + s.attend(n, s.keys_values(n, keys_at), causal_mask(5), {nullptr, queries_at}).output;
        };
    };
    EXPECT_TRUE(close_named("at offset 3, without earlier keys",
                            s(x, causal_mask(5), Pass(nullptr, 3)).output, with(0, 0)(), {1e-5, 1e-5},
                            {{keys_from_0, with(0, 3)}, {queries_from_0, with(3, 0)}}));
}

TEST(attention_sublayer, refuses_what_does_not_fit) {
    const AttentionSublayer s = attention_half(small());
    ASSERT_NO_THROW(s(normal({2, 5, 8}, 1), causal_mask(5)));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({2, 5, 12}, 1)); }, {"(2, 5, 12)", "8"}, "x of width 12"));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({5, 8}, 1)); }, {"(5, 8)"}, "x without a batch"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            s(normal({2, 5, 8}, 1), causal_mask(4));
        },
        {"(1, 1, 4, 4)", "(2, 2, 5, 5)"}, "a mask of another length", "the mask is not passed on"));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            attention_half(small_llama())(normal({1, 17, 8}, 1));
        },
        {"17", "16"}, "a sequence longer than the rotary table",
        "no rotary positions although the config has them"));
}

}  // namespace
}  // namespace tfs::test
