// tests/07_block/block_forward_test.cpp · step block_forward: both halves and the block against PyTorch, properties, diagnosis
#include "tests/07_block/attention_suspects.hpp"
#include "tests/07_block/block_suspects.hpp"
#include "tests/07_block/checklist.hpp"
#include "tests/07_block/network_suspects.hpp"

#include <fmt/format.h>

#include "common/text/units.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/memory.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- the attention half -------------------------------------------------------------------------------------------

AttentionSublayer attention_half(const BlockConfig& config) {
    return made<AttentionSublayer>(config, "attention.");
}

TEST(block_forward, attention_half_equals_pytorch_in_both_places_of_the_norm) {
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

TEST(block_forward, attention_half_equals_its_parts_under_every_mask) {
    const Tensor x = golden()["x"];
    for (const NormPosition position : both_positions) {
        const AttentionSublayer s = attention_half(small(position));
        for (const auto& [name, mask] : masks()) {
            const AttentionOutput result = s(x, mask, with_weights);
            const Tensor input = position == NormPosition::pre ? s.norm(x) : x;
            const AttentionOutput attended = multi_head(s.attention)(input, input, input, mask);
            const Tensor expected =
                position == NormPosition::pre ? x + attended.output : s.norm(x + attended.output);
            const std::string what = name_of(position) + ", mask " + name;
            std::vector<Suspect> others = weights_suspects(attended.weights);
            others.push_back(
                {"the weights are those of x without its norm: the call that gives the output gives them",
                 [&, &mask = mask] { return multi_head(s.attention)(x, x, x, mask).weights; }});
            EXPECT_TRUE(close_named(what, result.output, expected, {}, attention_suspects(s, x, mask)));
            if (HasFailure()) return;  // wrong weights would only say it again
            EXPECT_TRUE(close_named(what + ", weights", result.weights, attended.weights, {}, others))
                << likely_if(
                       result.weights.size() == 0,
                       "attend does not get the pass, which asks for the weights: hand `pass` on as it is");
            if (HasFailure()) return;
        }
    }
}

TEST(block_forward, attention_half_works_with_one_head) {
    BlockConfig config = small();
    config.num_heads = 1;
    const AttentionSublayer s = attention_half(config);
    const Tensor x = golden()["x"], n = s.norm(x);
    const AttentionOutput attended = multi_head(s.attention)(n, n, n, causal_mask(5)),
                          result = s(x, causal_mask(5), with_weights);
    EXPECT_TRUE(close_named("output", result.output, x + attended.output, {},
                            attention_suspects(s, x, causal_mask(5))));
    EXPECT_TRUE(close_named("weights", result.weights, attended.weights));
}

TEST(block_forward, attention_half_sends_a_gradient_through_the_weights_as_well) {
    for (const NormPosition position : both_positions) {
        const AttentionSublayer s = attention_half(small(position));
        expect_gradient_through_weights("the weights", normal({3, 5, 8}, 12),
                                        [&](const Tensor& x) { return s(x, {}, with_weights).weights; });
        if (HasFailure()) break;  // one case tells it
    }
}

TEST(block_forward, attention_half_has_rotary_positions_where_the_config_has_them) {
    const Tensor x = golden()["x"];
    for (const RotaryLayout layout : {RotaryLayout::half_split, RotaryLayout::interleaved}) {
        BlockConfig config = small_llama();
        config.positions = Rotary{.layout = layout};
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

TEST(block_forward, attention_half_drops_weights_and_what_it_adds) {
    const Tensor x = golden()["x"];
    for (BlockConfig config : {small(), small(NormPosition::post), small_llama()}) {
        const AttentionSublayer undropped = attention_half(config);
        config.dropout = 0.25;
        const AttentionSublayer s = attention_half(config);
        const auto attend = [=](const Tensor& t, const Rates& rates, Rng* rng) -> AttentionOutput {
            const KeysValues own = s.keys_values(t);
            Tensor weights = s.attend(t, own, {}, with_weights).weights;
            for (const double rate : rates) weights = dropout(weights, rate, rng);
            return {s.attention.w_o(merge_heads(matmul(weights, own.values))), weights};
        };
        const auto output = [=](const Tensor& t, const Rates& rates, Rng* rng) {
            return attend(t, rates, rng).output;
        };
        const auto half = [&](const Tensor& t, Rng* rng) { return s(t, std::nullopt, {.rng = rng}).output; };
        const auto right = drops_in_both_places(half, s.parameters(), config.norm_position, s.norm, output,
                                                "the weights are");
        EXPECT_TRUE(right);
        const Sublayer in_evaluation = [&](const Tensor&t) { return output(t, {}, nullptr); },
                       scaled = [&](const Tensor&t) {
                           const KeysValues own = s.keys_values(t);
                           const Tensor weights = s.attend(t, own, {}, with_weights).weights * 0.75f;
                           return s.attention.w_o(merge_heads(matmul(weights, own.values)));
                       };
        EXPECT_TRUE(evaluates(half, undropped(x).output, s.position, s.norm, in_evaluation, scaled));
        if (!right) break;
        Rng rng(5), same(5);
        const Tensor weights = s(x, std::nullopt, {.rng = &rng, .keep_weights = Weights::keep}).weights;
        const Tensor input = config.norm_position == NormPosition::pre ? s.norm(x) : x;
        const Tensor used = attend(input, {0.25}, &same).weights;
        EXPECT_TRUE(close_named("weights in training", weights, used, {},
                                dropped_weights_suspects(attend, x, input, used)));
    }
}

TEST(block_forward, attention_half_computes_the_norm_once) {
    const AttentionSublayer s = attention_half(small());
    const Tensor x = leaf("x"), n = s.norm(x);
    const Tensor y = s(x).output, expected = x + multi_head(s.attention)(n, n, n).output;
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
TEST(block_forward, attention_half_a_sequence_in_two_halves_gives_what_it_gives_in_one) {
    const Tensor x = normal({3, 11, 8}, 13), first = slice(x, 1, 0, 5), second = slice(x, 1, 5, 11);
    for (const BlockConfig& config : {small(), small(NormPosition::post), small_llama()}) {
        const AttentionSublayer s = attention_half(config);
        const Tensor expected = s(x, causal_mask(11)).output;
        const bool pre = config.norm_position == NormPosition::pre;
        SameEarlier earlier(s.keys_values(pre ? s.norm(first) : first));
        const Pass pass{.offset = 5, .earlier = &earlier, .layer = 7};
        EXPECT_EQ(Pass{.offset = 5}.keys(6), 6u);
        EXPECT_EQ(pass.keys(6), 11u);
        EXPECT_TRUE(close_named("the first half", s(first, causal_mask(5)).output, slice(expected, 1, 0, 5)));
        if (HasFailure()) return;
        try {
            const Tensor late = s(second, causal_mask(6, 11, 5), pass).output;
            const std::vector<std::size_t> asked = earlier.asked;
            EXPECT_LE(asked.size(), 1u) << "questions for earlier keys and values, which are kept each time"
                                        << likely_if(asked.size() > 1, asked_twice);
            EXPECT_EQ(asked, std::vector<std::size_t>(asked.size(), 7))
                << "the layer whose earlier keys and values are asked for"
                << likely_if(true,
                             "they are asked for under another number than pass.layer: "
                             "pass.all hands it on");
            if (HasFailure()) return;
            Pass not_moved = pass;
            not_moved.offset = 0;
            const bool unmoved = bool(close(late, s(second, causal_mask(6, 11, 5), not_moved).output));
            const auto with = [&](std::size_t keys_at, std::size_t queries_at, const OptionalMask& mask) {
                return [&, keys_at, queries_at, mask] {
                    const Sublayer attend = [&](const Tensor& t) {
                        const KeysValues all = SameEarlier(earlier).append(0, s.keys_values(t, keys_at));
                        return s.attend(t, all, mask, {.offset = queries_at}).output;
                    };
                    return norm_and_add(s.position, s.norm, second, attend, 0.0, nullptr);
                };
            };
            EXPECT_TRUE(close_named(
                "the second half, with the keys and values of the first", late, slice(expected, 1, 5, 11), {},
                {{keys_from_0, with(0, 5, causal_mask(6, 11, 5))},
                 {queries_from_0, with(5, 0, causal_mask(6, 11, 5))},
                 {"the mask is not passed on where keys came before", with(5, 5, std::nullopt)}}))
                << likely_if(config.rotary() && unmoved, "pass.offset is not used");
        } catch (const ShapeError& error) {
            const bool alone = std::string(error.what()).find("(3, 2, 6, 6)") != std::string::npos;
            const bool twice = std::string(error.what()).find("(3, 2, 6, 17)") != std::string::npos;
            ADD_FAILURE() << error.what()
                          << likely_if(alone,
                                       "x attends to itself alone: take pass.all(…) of its keys and values")
                          << likely_if(twice,
                                       "the keys of x are there twice: pass.all gives the earlier ones, "
                                       "followed by those of x")
                          << likely_if(earlier.asked.size() > 1, asked_twice);
        }
    }
}

// Rotary positions depend on distances alone.
TEST(block_forward, attention_half_alone_gives_the_same_wherever_it_begins) {
    const AttentionSublayer s = attention_half(small_llama());
    const Tensor x = golden()["x"];
    const auto with = [&](std::size_t keys_at, std::size_t queries_at) {
        return [&, keys_at, queries_at] {
            const Tensor n = s.norm(x);
            return x + s.attend(n, s.keys_values(n, keys_at), causal_mask(5), {.offset = queries_at}).output;
        };
    };
    EXPECT_TRUE(close_named("at offset 3, without earlier keys",
                            s(x, causal_mask(5), Pass{.offset = 3}).output, with(0, 0)(), {1e-5, 1e-5},
                            {{keys_from_0, with(0, 3)}, {queries_from_0, with(3, 0)}}));
}

TEST(block_forward, attention_half_refuses_what_does_not_fit) {
    const AttentionSublayer s = attention_half(small());
    ASSERT_NO_THROW(s(normal({3, 5, 8}, 1), causal_mask(5)));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({3, 5, 10}, 1)); }, {"(3, 5, 10)", "8"}, "x of width 10"));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({5, 8}, 1)); }, {"(5, 8)"}, "x without a batch"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            s(normal({3, 5, 8}, 1), causal_mask(4));
        },
        {"(1, 1, 4, 4)", "(3, 2, 5, 5)"}, "a mask of another length", "the mask is not passed on"));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            attention_half(small_llama())(normal({1, 17, 8}, 1));
        },
        {"17", "16"}, "a sequence longer than the rotary table",
        "no rotary positions although the config has them"));
}

// --- the feed-forward half ----------------------------------------------------------------------------------------

FeedForwardSublayer network_half(const BlockConfig& config) {
    return made<FeedForwardSublayer>(config, "feed_forward.");
}

TEST(block_forward, network_half_equals_pytorch_in_both_places_of_the_norm) {
    for (const NormPosition position : both_positions) {
        const FeedForwardSublayer s = network_half(small(position));
        const Tensor x = leaf("x");
        const Tensor y = s(x);
        const std::string prefix = "feed_forward." + name_of(position) + ".";
        EXPECT_TRUE(
            close_named(name_of(position), y, golden()[prefix + "output"], {}, network_suspects(s, x)));
        if (HasFailure()) break;  // one place tells it
        expect_gradients(prefix, y, x, {});
    }
}

TEST(block_forward, network_half_takes_any_network_and_any_norm) {
    const Tensor x = golden()["x"];
    const FeedForwardSublayer s = network_half(small_llama());
    const SwiGLU& swiglu = std::get<SwiGLU>(s.network.kind);
    const RMSNorm& norm = std::get<RMSNorm>(s.norm.kind);
    EXPECT_TRUE(close_named("RMSNorm and SwiGLU", s(x), x + swiglu(norm(x)), {}, network_suspects(s, x)));
}

TEST(block_forward, network_half_drops_hidden_units_and_what_it_adds) {
    const Tensor x = golden()["x"];
    for (BlockConfig config : {small(), small(NormPosition::post), small_llama()}) {
        const FeedForwardSublayer undropped = network_half(config);
        config.dropout = 0.25;
        const FeedForwardSublayer s = network_half(config);
        const DroppedSublayer transform = [=](const Tensor& t, const Rates& rates, Rng* rng) {
            Tensor hidden = s.network.hidden(t);
            for (const double rate : rates) hidden = dropout(hidden, rate, rng);
            return s.network.output(hidden);
        };
        EXPECT_TRUE(drops_in_both_places(
            [&](const Tensor& t, Rng* rng) { return s(t, {.rng = rng}); }, s.parameters(),
            config.norm_position, s.norm, transform,
            gated(config) ? "the hidden layer of SwiGLU is" : "the hidden layer is", wrong_dropouts(s)));
        const Sublayer scaled = [&](const Tensor& t) {
            return s.network.output(s.network.hidden(t) * 0.75f);
        };
        EXPECT_TRUE(evaluates([&](const Tensor& t, Rng* rng) { return s(t, {.rng = rng}); }, undropped(x),
                              s.position, s.norm, network_of(s), scaled));
        if (HasFailure()) break;  // SwiGLU only where the others are right
    }
}

TEST(block_forward, network_half_treats_each_position_by_itself) {
    const FeedForwardSublayer s = network_half(small());
    const Tensor x = golden()["x"], y = s(x);
    for (std::size_t t = 0; t < 5; ++t)
        EXPECT_TRUE(close(s(slice(x, 1, t, t + 1)), slice(y, 1, t, t + 1))) << "position " << t << " alone";
}

TEST(block_forward, network_half_refuses_another_width) {
    const FeedForwardSublayer s = network_half(small());
    ASSERT_NO_THROW(s(normal({3, 5, 8}, 1)));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({3, 5, 10}, 1)); }, {"(3, 5, 10)", "8"}, "x of width 10"));
}

// --- the block ----------------------------------------------------------------------------------------------------

struct BlockCase {
    std::string name;
    BlockConfig config;
    OptionalMask mask;
};
// Every place of the norm, activation and mask of torch.nn.TransformerEncoderLayer.
std::vector<BlockCase> encoder_layers() {
    std::vector<BlockCase> cases;
    for (const NormPosition position : both_positions) {
        for (const Activation activation : {Activation::relu, Activation::gelu}) {
            BlockConfig config = small(position);
            config.activation = activation;
            for (const auto& [name, mask] : masks())
                cases.push_back(
                    {name_of(position) + (activation == Activation::relu ? ".relu." : ".gelu.") + name,
                     config, mask});
        }
    }
    return cases;
}

TEST(block_forward, block_equals_the_encoder_layer_of_pytorch) {
    const Tensor x = golden()["x"];
    for (const BlockCase& c : encoder_layers()) {
        const TransformerBlock block = golden_block(c.config);
        ASSERT_TRUE(halves_are_right(block, x, c.mask));
        const AttentionOutput result = block(x, c.mask, with_weights);
        EXPECT_TRUE(close_named(c.name, result.output, golden()[c.name + ".output"], {},
                                block_suspects(block, x, c.mask)));
        const Tensor weights = golden()[c.name + ".weights"];
        EXPECT_TRUE(close_named(c.name + ", weights", result.weights, weights, {}, weights_suspects(weights)))
            << likely_if(result.weights.size() <= 1, "the weights of attention are not returned");
    }
}

TEST(block_forward, block_sends_the_gradients_of_the_encoder_layer) {
    for (const BlockCase& c : encoder_layers()) {
        const TransformerBlock block = golden_block(c.config);
        const Tensor x = leaf("x");
        ASSERT_TRUE(halves_are_right(block, golden()["x"], c.mask));
        expect_gradients(c.name + ".", block(x, c.mask).output, x, block.parameters());
        if (HasFailure()) break;  // one case tells it
    }
}

TEST(block_forward, block_equals_a_block_of_llama) {
    const TransformerBlock block = golden_block(small_llama());
    const Tensor x = leaf("x");
    ASSERT_TRUE(halves_are_right(block, golden()["x"], causal_mask(5)));
    const AttentionOutput result = block(x, causal_mask(5), with_weights);
    EXPECT_TRUE(close_named("RMSNorm, SwiGLU, rotary positions", result.output, golden()["llama.output"], {},
                            block_suspects(block, x, causal_mask(5))));
    EXPECT_TRUE(close_named("weights", result.weights, golden()["llama.weights"]));
    if (HasFailure()) return;  // what is wrong with the output tells more
    expect_gradients("llama.", result.output, x, block.parameters());
}

TEST(block_forward, block_equals_pytorch_in_training) {
    for (const NormPosition position : both_positions) {
        BlockConfig config = small(position);
        config.dropout = 0.25;
        const TransformerBlock block = golden_block(config);
        const Tensor x = leaf("x");
        const std::uint64_t seed = position == NormPosition::pre ? 72 : 73;
        ASSERT_TRUE(halves_are_right(block, golden()["x"], causal_mask(5), seed));
        ASSERT_TRUE(halves_are_right(block, golden()["x"], causal_mask(5)));
        Rng rng(seed);
        const auto [y, weights] = block(x, causal_mask(5), {.rng = &rng, .keep_weights = Weights::keep});
        const auto with = [&](bool first, bool second, bool between = false, bool at_the_end = false) {
            return [=] {
                Rng other(seed);
                const auto dropped = [&](const Tensor& t, bool here) {
                    return dropout(t, here ? 0.25 : 0, &other);
                };
                const Tensor attended =
                    block.attention(x, causal_mask(5), {.rng = first ? &other : nullptr}).output;
                const Tensor fed =
                    block.feed_forward(dropped(attended, between), {.rng = second ? &other : nullptr});
                return dropped(fed, at_the_end);
            };
        };
        const std::string prefix = name_of(position) + ".dropped.";
        const auto right = close_named(
            name_of(position), y, golden()[prefix + "output"], {},
            {{"nothing is dropped although there is an Rng", with(false, false)},
             {"dropout in one half only: rng is not passed on to the feed-forward half", with(true, false)},
             {"dropout in one half only: rng is not passed on to attention", with(false, true)},
             {"dropout falls between the halves: they drop what they add themselves", with(true, true, true)},
             {"dropout falls on the result: the halves drop what they add themselves",
              with(true, true, false, true)}});
        EXPECT_TRUE(right);
        const auto evaluated =
            close_named("in evaluation", block(x, causal_mask(5)).output, with(false, false)(), {},
                        {{"the mask is not passed on in evaluation",
                          [&] { return block.feed_forward(block.attention(x).output); }}});
        EXPECT_TRUE(evaluated) << likely_if(right && !has_cause(evaluated), dropped_in_evaluation);
        if (HasFailure()) break;  // one case tells it
        Rng same(seed);
        const Tensor used =
            block.attention(x, causal_mask(5), {.rng = &same, .keep_weights = Weights::keep}).weights;
        std::vector<Suspect> others = weights_suspects(used);
        const std::string other_call =
            "the weights come from a second call: attention ran twice, and these were not used";
        others.push_back(
            {other_call, [&] { return block.attention(x, causal_mask(5), with_weights).weights; }});
        others.push_back(
            {other_call, [&] {
                 Rng again(seed);
                 (void)block(x, causal_mask(5), {.rng = &again});
                 return block.attention(x, causal_mask(5), {.rng = &again, .keep_weights = Weights::keep})
                     .weights;
             }});
        EXPECT_TRUE(close_named(name_of(position) + ", weights", weights, used, {}, others));
        if (HasFailure()) break;  // one case tells it
        expect_gradients(prefix, y, x, block.parameters());
    }
}

TEST(block_forward, block_sends_a_gradient_through_the_weights_as_well) {
    const TransformerBlock block = golden_block(small());
    expect_gradient_through_weights("the weights", normal({3, 5, 8}, 12),
                                    [&](const Tensor& x) { return block(x, {}, with_weights).weights; });
}

TEST(block_forward, block_agrees_with_finite_differences) {
    const TransformerBlock block = golden_block(small_llama());
    EXPECT_TRUE(gradients_match([&](const std::vector<Tensor>& in) { return block(in[0]).output; },
                                {normal({1, 3, 8}, 6)}));
}

TEST(block_forward, block_under_a_causal_mask_nothing_depends_on_the_future) {
    for (const BlockConfig& config : {small(), small(NormPosition::post), small_llama()}) {
        const TransformerBlock block = golden_block(config);
        const Tensor x = normal({1, 6, 8}, 7);
        ASSERT_TRUE(halves_are_right(block, x, causal_mask(6)));
        const Tensor other =
            concat({slice(x, 1, 0, 3), normal({1, 3, 8}, 8)}, 1);  // another future from 3 on
        const Tensor y = block(x, causal_mask(6)).output, z = block(other, causal_mask(6)).output;
        EXPECT_TRUE(close(slice(z, 1, 0, 3), slice(y, 1, 0, 3)))
            << likely_if(bool(close(y, block(x).output)), "the mask is not passed on");
    }
}

TEST(block_forward, block_without_positions_permuted_tokens_give_permuted_outputs) {
    const TransformerBlock block = golden_block(small());
    const Tensor x = normal({1, 6, 8}, 9);
    const auto turned = [](const Tensor& t) { return concat({slice(t, 1, 2, 6), slice(t, 1, 0, 2)}, 1); };
    EXPECT_TRUE(close(block(turned(x)).output, turned(block(x).output)));
}

const std::string mask_forgotten =
    "the mask is not passed on where x begins later, or keys came before: it is handed on as it is";

TEST(block_forward, block_asks_for_earlier_keys_and_values_once) {
    const TransformerBlock block = golden_block(small());
    SameEarlier earlier;
    const Pass pass{.earlier = &earlier};
    std::vector<std::size_t>& layers = earlier.asked;
    const Tensor x = normal({1, 5, 8}, 10);
    ASSERT_TRUE(halves_are_right(block, x, causal_mask(5)));
    (void)block.attention(x, causal_mask(5), pass.in_layer(7));
    ASSERT_EQ(layers, std::vector<std::size_t>{7})
        << "the attention half itself asks for other ones, as its own checks say";
    layers.clear();
    const Tensor y = block(x, causal_mask(5), pass.in_layer(7)).output;
    EXPECT_EQ(layers, std::vector<std::size_t>{7})
        << likely_if(layers.empty(), "the pass is not passed on to attention as it is: pass.earlier is lost")
        << likely_if(layers.size() == 1, "pass.layer is lost: attention gets the pass as it is")
        << likely_if(layers.size() > 1,
                     "attention is called more than once: one call gives output and weights");
    if (HasFailure()) return;
    EXPECT_TRUE(close_named("with no keys before x", y, block(x, causal_mask(5)).output, {},
                            {{mask_forgotten, [&] { return block(x).output; }}}));
}

TEST(block_forward, block_passes_the_position_of_x_on) {
    const TransformerBlock block = golden_block(small_llama());
    const Tensor x = normal({1, 5, 8}, 10);
    ASSERT_TRUE(halves_are_right(block, x, causal_mask(5)));
    ASSERT_TRUE(refuses<ValueError>([&] { block.attention(x, causal_mask(5), Pass{.offset = 14}); }, {"16"},
                                    "the attention half, at positions 14 to 18 of a table of 16",
                                    "the attention half takes no notice of pass.offset"));
    const Pass late{.offset = 3};
    const Tensor expected = block.feed_forward(block.attention(x, causal_mask(5), late).output);
    // Rotary positions depend on distances alone, so a pass that gets lost is seen where the table ends.
    EXPECT_TRUE(close(block(x, causal_mask(5), late).output, expected, {},
                      {{mask_forgotten,
                        [&] { return block.feed_forward(block.attention(x, std::nullopt, late).output); }}}));
    EXPECT_TRUE(refuses<ValueError>([&] { block(x, causal_mask(5), Pass{.offset = 14}); }, {"16"},
                                    "positions 14 to 18 of a table of 16",
                                    "the pass is not passed on to attention, or only its rng is"));
}

TEST(block_forward, block_names_its_parameters) {
    BlockConfig config = small_llama();
    config.attention_bias = AttentionBias::qkv;
    Rng rng(1);
    const TransformerBlock block(config, rng);
    ASSERT_NO_THROW(block(normal({1, 2, 8}, 1)));
    std::string names;
    for (const NamedTensor& p : block.parameters()) names += p.name + " ";
    EXPECT_EQ(
        names,
        "attention.w_q.weight attention.w_q.bias attention.w_k.weight attention.w_k.bias "
        "attention.w_v.weight attention.w_v.bias attention.w_o.weight attention.norm.gamma "
        "feed_forward.gate.weight feed_forward.up.weight feed_forward.down.weight feed_forward.norm.gamma ");
}

TEST(block_forward, block_a_thousand_training_steps_keep_the_resident_size_flat) {
    BlockConfig config = small_llama();
    config.dropout = 0.1;
    Rng rng(1);
    TransformerBlock block(config, rng);
    const Parameters parameters = block.parameters();
    std::vector<Tensor> inputs;  // of several lengths, so that arrays of several sizes come and go
    for (std::size_t seq = 4; seq <= 12; ++seq) inputs.emplace_back(rng.normal_array({2, seq, 8}));
    const auto step = [&](std::size_t i) {
        const Tensor& x = inputs[i % inputs.size()];
        const Tensor y = block(x, causal_mask(x.size(1)), {.rng = &rng}).output;
        gradient_step(mean(y * y), parameters, 0.01f);
    };
    EXPECT_TRUE(resident_size_stays_flat(step, 200, 1000));
}

TEST(block_forward, block_refuses_what_does_not_fit) {
    Rng rng(1);
    const TransformerBlock block(small(), rng);
    ASSERT_NO_THROW(block(normal({3, 5, 8}, 1), causal_mask(5)));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            block(normal({3, 5, 10}, 1));
        },
        {"(3, 5, 10)", "8"}, "x of width 10"));
    const Tensor x = normal({3, 5, 8}, 1);
    const Mask for_four = Mask::from({4, 1, 1, 5}, std::vector(20, 1));
    const bool by_the_half = thrown_by([&] { block.attention(x, for_four); }).type == "ShapeError";
    EXPECT_TRUE(refuses<ShapeError>([&] { block(x, for_four); }, {"(4, 1, 1, 5)", "(3, 2, 5, 5)"},
                                    "a mask for 4 sequences, where x has 3",
                                    by_the_half ? "the mask is not passed on to attention"
                                                : "the attention half does not refuse it either"));
}

TEST(block_forward, block_refuses_a_config_with_all_its_problems_in_one_sentence) {
    Rng rng(1);
    ASSERT_NO_THROW(TransformerBlock(small(), rng)(normal({1, 2, 8}, 1)));
    BlockConfig config = small_llama();
    config.num_heads = 3;
    config.d_ff = 0;
    config.dropout = 1.5;
    config.norm_eps = -0.5f;
    config.max_len = 0;
    EXPECT_EQ(problems(config).size(), 5u);
    EXPECT_TRUE(
        refuses<ValueError>([&] { TransformerBlock(config, rng); },
                            {"3 heads don't divide d_model = 8", "d_ff is 0", "1.5", "-0.5", "max_len is 0"},
                            "a config with five problems"));
    config = small_llama();
    config.d_model = 6;
    EXPECT_TRUE(refuses<ValueError>([&] { TransformerBlock(config, rng); }, {"6 / 2 = 3"},
                                    "rotary pairs of d_k = 3"));
    EXPECT_EQ(problems(small_llama()).size() + problems(bert_block()).size() + problems(qwen_block()).size(),
              0u);
}

}  // namespace
}  // namespace tfs::test
