// tests/07_block/attention_sublayer_test.cpp · step attention_sublayer: PyTorch's values, properties, diagnosis
#include "tests/07_block/checklist.hpp"

#include <fmt/format.h>

#include <tuple>

#include "common/show/summary.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

AttentionSublayer attention_half(const BlockConfig& config) {
    return made<AttentionSublayer>(config, "attention.");
}

std::vector<Suspect> attention_suspects(const AttentionSublayer& s, const Tensor& x,
                                        const OptionalMask& mask) {
    const auto attend = [=](const Tensor& q, const Tensor& k, const Tensor& v, const OptionalMask& m) {
        return s.attention(q, k, v, m).output;
    };
    std::vector<Suspect> all =
        half_suspects(s.position, s.norm, x, [=](const Tensor& t) { return attend(t, t, t, mask); });
    const Tensor n = s.norm(x);
    for (const auto& [what, q, k, v] : {std::tuple{"queries", x, n, n},
                                        {"keys", n, x, n},
                                        {"values", n, n, x},
                                        {"queries and keys", x, x, n},
                                        {"queries and values", x, n, x},
                                        {"keys and values", n, x, x}})
        all.push_back({fmt::format("the {} are not normed: all three are made of what the lambda gets", what),
                       [attend, x, mask, q = q, k = k, v = v] { return x + attend(q, k, v, mask); }});
    all.push_back({"the mask is not passed on", [=] {
                       return norm_and_add(
                           s.position, s.norm, x,
                           [=](const Tensor& t) { return attend(t, t, t, std::nullopt); }, 0.0, nullptr);
                   }});
    return all;
}

TEST(attention_sublayer, equals_pytorch_in_both_places_of_the_norm) {
    for (const NormPosition position : both_positions) {
        const AttentionSublayer sublayer = attention_half(small(position));
        const Tensor x = leaf("x");
        const Tensor y = sublayer(x, causal_mask(5)).output;
        const std::string prefix = "attention." + name_of(position) + ".";
        EXPECT_TRUE(close_named(name_of(position), y, golden()[prefix + "output"], {},
                                attention_suspects(sublayer, x, causal_mask(5))));
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
            EXPECT_TRUE(close_named(what, result.output, expected, {}, attention_suspects(s, x, mask)));
            EXPECT_TRUE(close_named(what + ", weights", result.weights, attended.weights));
        }
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
        const auto attend = [=](const Tensor& t, double p, Rng* rng) {
            AttentionSublayer at_rate = s;
            at_rate.dropout = p;
            return at_rate.attend(t, at_rate.keys_values(t), std::nullopt, rng);
        };
        const auto output = [=](const Tensor& t, double p, Rng* rng) { return attend(t, p, rng).output; };
        const auto half = [&](const Tensor& t, Rng* rng) { return s(t, std::nullopt, rng).output; };
        const auto right =
            drops_in_both_places(half, config.norm_position, s.norm, output, "the weights are");
        EXPECT_TRUE(right);
        EXPECT_TRUE(close_named("in evaluation", half(x, nullptr), undropped(x).output))
            << likely_if(true, "dropout is active in evaluation: a null Rng is passed on as it is");
        Rng rng(5), same(5);
        const Tensor weights = s(x, std::nullopt, &rng).weights;
        const bool pre = config.norm_position == NormPosition::pre;
        EXPECT_TRUE(
            close_named("weights in training", weights, attend(pre ? s.norm(x) : x, 0.25, &same).weights))
            << likely_if(right && weights.rank() == 4,
                         "the weights come from a second call: attention ran twice, and these were not used");
    }
}

TEST(attention_sublayer, computes_the_norm_once) {
    const AttentionSublayer s = attention_half(small());
    const Tensor x = leaf("x"), n = s.norm(x);
    const std::size_t kept = tape_bytes(s(x).output);
    const std::size_t once = tape_bytes(x + s.attention(n, n, n).output);
    EXPECT_TRUE(kept == once)
        << fmt::format("the tape keeps {} bytes, and {} with one norm", with_separators(kept),
                       with_separators(once))
        << likely_if(
               kept > once,
               "norm(x) is computed more than once: the lambda's input is normed already, and q, k and v "
               "are made of that one tensor");
}

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
        pass.with_earlier = [&](std::size_t, const KeysValues& own) -> KeysValues {
            return {concat({earlier.keys, own.keys}, 2), concat({earlier.values, own.values}, 2)};
        };
        EXPECT_EQ(pass.keys(2), 5u);
        EXPECT_TRUE(close_named("the first half", s(first, causal_mask(3)).output, slice(expected, 1, 0, 3)));
        if (HasFailure()) return;
        try {
            const Tensor late = s(second, causal_mask(2, 5, 3), pass).output;
            Pass not_moved = pass;
            not_moved.offset = 0;
            const bool unmoved = bool(close(late, s(second, causal_mask(2, 5, 3), not_moved).output));
            const auto queries_unmoved = [&] {
                const Tensor n = s.norm(second);
                const KeysValues all = pass.with_earlier(0, s.keys_values(n, 3));
                return second + s.attend(n, all, causal_mask(2, 5, 3)).output;
            };
            const auto keys_unmoved = [&] {  // of a pre-norm half with rotary positions
                const Tensor n = s.norm(second);
                return second +
                       s.attend(n, pass.with_earlier(0, s.keys_values(n)), causal_mask(2, 5, 3), pass).output;
            };
            EXPECT_TRUE(close_named(
                "the second half, with the keys and values of the first", late, slice(expected, 1, 3, 5), {},
                {{"pass.offset is not passed on to keys_values", keys_unmoved},
                 {"pass.offset is not passed on to attend: hand it the pass", queries_unmoved}}))
                << likely_if(config.rotary && unmoved, "pass.offset is not used");
        } catch (const ShapeError& error) {
            const bool alone = std::string(error.what()).find("(2, 2, 2, 2)") != std::string::npos;
            ADD_FAILURE() << error.what()
                          << likely_if(alone,
                                       "x attends to itself alone: take pass.all(…) of its keys and values");
        }
    }
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
