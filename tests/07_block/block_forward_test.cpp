// tests/07_block/block_forward_test.cpp · step block_forward: both halves and the block against PyTorch, properties
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/07_block/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

struct Kind {
    std::string name;
    BlockConfig config;
};
std::vector<Kind> kinds() {
    return {{"pre", small()}, {"post", small(NormPosition::post)}, {"llama", small_llama()}};
}

Pass training(Rng& rng) { return {.rng = &rng, .keep_weights = Weights::keep}; }

// A half is norm, sublayer, dropout and addition, and inside of its sublayer something is dropped first.
AttentionOutput attention_half(const AttentionSublayer& s, const Tensor& x, const OptionalMask& mask,
                               const Pass& pass) {
    const AttendingSublayer inside = [&](const Tensor& t) {
        return s.attend(t, s.keys_values(t), mask, {.rng = pass.rng, .keep_weights = pass.keep_weights});
    };
    return norm_and_add(s.position, s.norm, x, inside, s.dropout, pass.rng);
}
Tensor network_half(const FeedForwardSublayer& s, const Tensor& x, const Pass& pass) {
    const Sublayer inside = [&](const Tensor& t) {
        return s.network.output(dropout(s.network.hidden(t), s.dropout, pass.rng));
    };
    return norm_and_add(s.position, s.norm, x, inside, s.dropout, pass.rng);
}

// --- the attention half -------------------------------------------------------------------------------------------

TEST(block_forward, attention_half_equals_pytorch_in_both_places_of_the_norm) {
    for (const NormPosition position : both_positions) {
        const auto half = made<AttentionSublayer>(small(position), "attention.");
        const Tensor x = leaf("x"), y = half(x, causal_mask(5)).output;
        const std::string prefix = "attention." + name_of(position) + ".";
        EXPECT_TRUE(close_named(name_of(position), y, golden()[prefix + "output"]));
        expect_gradients(prefix, y, x, {});
    }
}

TEST(block_forward, attention_half_equals_its_parts_under_every_mask) {
    for (const Kind& kind : kinds())
        for (const auto& [name, mask] : masks()) {
            const auto half = made<AttentionSublayer>(kind.config, "attention.");
            const AttentionOutput result = half(golden()["x"], mask, with_weights),
                                  expected = attention_half(half, golden()["x"], mask, with_weights);
            const std::string what = kind.name + ", mask " + name;
            EXPECT_TRUE(close_named(what, result.output, expected.output));
            EXPECT_TRUE(close_named(what + ", weights", result.weights, expected.weights));
        }
}

TEST(block_forward, attention_half_drops_weights_and_what_it_adds) {
    for (Kind kind : kinds()) {
        kind.config.dropout = 0.25;
        const auto half = made<AttentionSublayer>(kind.config, "attention.");
        Rng rng(5), same(5);
        const Tensor x = golden()["x"];
        const AttentionOutput result = half(x, causal_mask(5), training(rng)),
                              expected = attention_half(half, x, causal_mask(5), training(same));
        EXPECT_TRUE(close_named(kind.name + " in training", result.output, expected.output));
        EXPECT_TRUE(close_named(kind.name + ", weights in training", result.weights, expected.weights));
        EXPECT_TRUE(close_named(kind.name + " in evaluation", half(x).output,
                                attention_half(half, x, std::nullopt, {}).output));
    }
}

TEST(block_forward, attention_half_sends_a_gradient_through_the_weights_as_well) {
    for (const NormPosition position : both_positions) {
        const auto half = made<AttentionSublayer>(small(position), "attention.");
        expect_gradient_through_weights("the weights", normal({1, 5, 8}, 12),
                                        [&](const Tensor& x) { return half(x, {}, with_weights).weights; });
    }
}

TEST(block_forward, attention_half_computes_norm_and_attention_once) {
    const auto half = made<AttentionSublayer>(small(), "attention.");
    const Tensor x = leaf("x");
    EXPECT_EQ(tape_bytes(half(x).output), tape_bytes(attention_half(half, x, std::nullopt, {}).output))
        << "bytes that the tape keeps: what is computed twice is kept twice";
}

// Keys and values of the positions before x, kept by the caller, come in front of those of x.
TEST(block_forward, attention_half_a_sequence_in_two_halves_gives_what_it_gives_in_one) {
    const Tensor x = normal({3, 11, 8}, 13), first = slice(x, 1, 0, 5), second = slice(x, 1, 5, 11);
    for (const Kind& kind : kinds()) {
        const auto half = made<AttentionSublayer>(kind.config, "attention.");
        const Tensor expected = attention_half(half, x, causal_mask(11), {}).output;
        SameEarlier earlier(half.keys_values(half.position == NormPosition::pre ? half.norm(first) : first));
        const Pass pass{.offset = 5, .earlier = &earlier, .layer = 7};
        EXPECT_TRUE(close_named(kind.name + ": the second half, with the keys and values of the first",
                                half(second, causal_mask(6, 11, 5), pass).output, slice(expected, 1, 5, 11)));
        EXPECT_EQ(earlier.asked, std::vector<std::size_t>{7})
            << "the layers whose earlier keys and values are asked for: once, of pass.layer";
    }
}

// Rotary positions depend on distances alone.
TEST(block_forward, attention_half_alone_gives_the_same_wherever_it_begins) {
    const auto half = made<AttentionSublayer>(small_llama(), "attention.");
    const Tensor x = golden()["x"], expected = attention_half(half, x, causal_mask(5), {}).output;
    EXPECT_TRUE(close_named("at offset 3, without earlier keys",
                            half(x, causal_mask(5), {.offset = 3}).output, expected, {1e-5, 1e-5}));
    EXPECT_TRUE(close_named("rows at offsets 6, 0 and 2",
                            half(x, causal_mask(5), {.offset = std::vector<std::size_t>{6, 0, 2}}).output,
                            expected, {1e-5, 1e-5}));
}

TEST(block_forward, attention_half_refuses_what_does_not_fit) {
    const auto half = made<AttentionSublayer>(small_llama(), "attention.");
    const Tensor x = normal({3, 5, 8}, 1);
    (void)half(x, causal_mask(5));
    EXPECT_TRUE(refuses<ShapeError>([&] { half(x, causal_mask(4)); }, {"(1, 1, 4, 4)", "(3, 2, 5, 5)"},
                                    "a mask of another length"));
    EXPECT_TRUE(refuses<ValueError>([&] { half(x, causal_mask(5), {.offset = 12}); }, {"16"},
                                    "positions 12 to 16 of a table of 16"));
}

// --- the feed-forward half ----------------------------------------------------------------------------------------

TEST(block_forward, network_half_equals_pytorch_in_both_places_of_the_norm) {
    for (const NormPosition position : both_positions) {
        const auto half = made<FeedForwardSublayer>(small(position), "feed_forward.");
        const Tensor x = leaf("x"), y = half(x);
        const std::string prefix = "feed_forward." + name_of(position) + ".";
        EXPECT_TRUE(close_named(name_of(position), y, golden()[prefix + "output"]));
        expect_gradients(prefix, y, x, {});
    }
}

TEST(block_forward, network_half_drops_hidden_units_and_what_it_adds) {
    for (Kind kind : kinds()) {
        kind.config.dropout = 0.25;
        const auto half = made<FeedForwardSublayer>(kind.config, "feed_forward.");
        Rng rng(5), same(5);
        const Tensor x = golden()["x"];
        EXPECT_TRUE(close_named(kind.name + " in training", half(x, training(rng)),
                                network_half(half, x, training(same))));
        EXPECT_TRUE(close_named(kind.name + " in evaluation", half(x), network_half(half, x, {})));
    }
}

TEST(block_forward, network_half_computes_norm_and_network_once) {
    const auto half = made<FeedForwardSublayer>(small(), "feed_forward.");
    const Tensor x = leaf("x");
    EXPECT_EQ(tape_bytes(half(x)), tape_bytes(network_half(half, x, {})))
        << "bytes that the tape keeps: what is computed twice is kept twice";
}

// --- the block ----------------------------------------------------------------------------------------------------

// Every place of the norm, activation and mask of torch.nn.TransformerEncoderLayer.
struct BlockCase {
    std::string name;
    BlockConfig config;
    OptionalMask mask;
};
std::vector<BlockCase> encoder_layers() {
    std::vector<BlockCase> cases;
    for (const NormPosition position : both_positions)
        for (const Activation activation : {Activation::relu, Activation::gelu})
            for (const auto& [name, mask] : masks()) {
                const std::string of = activation == Activation::relu ? ".relu." : ".gelu.";
                cases.push_back({name_of(position) + of + name, small(position), mask});
                cases.back().config.activation = activation;
            }
    return cases;
}

TEST(block_forward, block_equals_the_encoder_layer_of_pytorch) {
    for (const auto& [name, config, mask] : encoder_layers()) {
        const AttentionOutput result = made<TransformerBlock>(config)(golden()["x"], mask, with_weights);
        EXPECT_TRUE(close_named(name, result.output, golden()[name + ".output"]));
        EXPECT_TRUE(close_named(name + ", weights", result.weights, golden()[name + ".weights"]));
    }
}

TEST(block_forward, block_sends_the_gradients_of_the_encoder_layer) {
    for (const auto& [name, config, mask] : encoder_layers()) {
        const auto block = made<TransformerBlock>(config);
        const Tensor x = leaf("x");
        expect_gradients(name + ".", block(x, mask).output, x, block.parameters());
    }
}

TEST(block_forward, block_equals_a_block_of_llama) {
    const auto block = made<TransformerBlock>(small_llama());
    const Tensor x = leaf("x");
    const auto [y, weights] = block(x, causal_mask(5), with_weights);
    EXPECT_TRUE(close_named("RMSNorm, SwiGLU, rotary positions", y, golden()["llama.output"]));
    EXPECT_TRUE(close_named("weights", weights, golden()["llama.weights"]));
    expect_gradients("llama.", y, x, block.parameters());
}

TEST(block_forward, block_equals_pytorch_in_training) {
    for (const NormPosition position : both_positions) {
        BlockConfig config = small(position);
        config.dropout = 0.25;
        const auto block = made<TransformerBlock>(config);
        const Tensor x = leaf("x");
        const std::uint64_t seed = position == NormPosition::pre ? 72 : 73;
        Rng rng(seed), same(seed);
        const auto [y, weights] = block(x, causal_mask(5), training(rng));
        const std::string name = name_of(position), prefix = name + ".dropped.";
        EXPECT_TRUE(close_named(name, y, golden()[prefix + "output"]));
        EXPECT_TRUE(close_named(name + ", weights", weights,
                                attention_half(block.attention, x, causal_mask(5), training(same)).weights));
        expect_gradients(prefix, y, x, block.parameters());
        const Tensor attended = attention_half(block.attention, x, causal_mask(5), {}).output;
        EXPECT_TRUE(close_named(name + " in evaluation", block(x, causal_mask(5)).output,
                                network_half(block.feed_forward, attended, {})));
    }
}

TEST(block_forward, block_sends_a_gradient_through_the_weights_as_well) {
    const auto block = made<TransformerBlock>(small());
    expect_gradient_through_weights("the weights", normal({1, 5, 8}, 12),
                                    [&](const Tensor& x) { return block(x, {}, with_weights).weights; });
}

TEST(block_forward, block_computes_each_half_once) {
    const auto block = made<TransformerBlock>(small());
    const Tensor x = leaf("x"), attended = attention_half(block.attention, x, std::nullopt, {}).output;
    EXPECT_EQ(tape_bytes(block(x).output), tape_bytes(network_half(block.feed_forward, attended, {})))
        << "bytes that the tape keeps: what is computed twice is kept twice";
}

// The pass as it is: its offset, its cache and its layer.
TEST(block_forward, block_hands_the_pass_on) {
    const Tensor x = normal({3, 11, 8}, 13), second = slice(x, 1, 5, 11);
    const auto block = made<TransformerBlock>(small_llama());
    const Tensor attended = attention_half(block.attention, x, causal_mask(11), {}).output;
    SameEarlier earlier(block.attention.keys_values(block.attention.norm(slice(x, 1, 0, 5))));
    const Pass pass{.offset = 5, .earlier = &earlier, .layer = 7};
    EXPECT_TRUE(close_named("the second half, with the keys and values of the first",
                            block(second, causal_mask(6, 11, 5), pass).output,
                            slice(network_half(block.feed_forward, attended, {}), 1, 5, 11)));
    EXPECT_EQ(earlier.asked, std::vector<std::size_t>{7})
        << "the layers whose earlier keys and values are asked for: once, of pass.layer";
    EXPECT_TRUE(refuses<ValueError>([&] { block(second, causal_mask(6), {.offset = 14}); }, {"16"},
                                    "positions 14 to 19 of a table of 16"));
}

TEST(block_forward, block_names_its_parameters) {
    BlockConfig config = small_llama();
    config.attention_bias = AttentionBias::qkv;
    Rng rng(1);
    const TransformerBlock block(config, rng);
    (void)block(normal({1, 2, 8}, 1));
    std::string names;
    for (const NamedTensor& p : block.parameters()) names += p.name + " ";
    EXPECT_EQ(
        names,
        "attention.w_q.weight attention.w_q.bias attention.w_k.weight attention.w_k.bias "
        "attention.w_v.weight attention.w_v.bias attention.w_o.weight attention.norm.gamma "
        "feed_forward.gate.weight feed_forward.up.weight feed_forward.down.weight feed_forward.norm.gamma ");
}

}  // namespace
}  // namespace tfs::test
