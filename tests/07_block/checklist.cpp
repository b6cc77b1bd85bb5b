// tests/07_block/checklist.cpp · what the checks of several steps of chapter 07 share
#include "tests/07_block/checklist.hpp"

#include <fmt/format.h>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

BlockConfig small(NormPosition position) {
    return {.d_model = 8, .num_heads = 2, .d_ff = 12, .norm_position = position};
}

BlockConfig small_llama() { return llama_block(8, 2, 12, 16); }

BlockConfig grouped_config(std::size_t kv_heads) {
    BlockConfig config = llama_block(24, 6, 10, 16);
    config.num_kv_heads = kv_heads;
    config.attention_bias = AttentionBias::all;
    return config;
}

std::string name_of(NormPosition position) { return position == NormPosition::pre ? "pre" : "post"; }

std::vector<std::pair<std::string, OptionalMask>> masks() {
    const Mask padding = Mask::from({3, 1, 1, 5}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0});
    return {{"none", std::nullopt},
            {"padding", padding},
            {"causal", causal_mask(5)},
            {"both", padding & causal_mask(5)}};
}

void expect_gradients(const std::string& prefix, const Tensor& output, const Tensor& x,
                      const Parameters& parameters) {
    ASSERT_TRUE(send_back(output, golden()[prefix + "grad_weights"]));
    EXPECT_TRUE(gradient_close(prefix + "x", x, golden()[prefix + "grad_x"]));
    for (const NamedTensor& p : parameters)
        EXPECT_TRUE(gradient_close(prefix + p.name, p.tensor, golden()[prefix + "grad_" + p.name]));
}

std::vector<BlockConfig> all_configs() {
    using KvHeads = std::optional<std::size_t>;
    const std::pair<bool, KvHeads> positions[] = {{false, std::nullopt}, {true, std::nullopt}, {true, 2}};
    std::vector<BlockConfig> all;
    for (const AttentionBias bias : {AttentionBias::none, AttentionBias::qkv, AttentionBias::all})
        for (const NormKind norm : {NormKind::layer_norm, NormKind::rms_norm})
            for (const FeedForwardKind kind : {FeedForwardKind::feed_forward, FeedForwardKind::swiglu})
                for (const Bias in_network : {Bias::no, Bias::yes})
                    for (const auto& [rotary, kv_heads] : positions)
                        all.push_back(
                            {.d_model = 24,  // no two of these numbers, or their quotients, are equal
                             .num_heads = 6,
                             .num_kv_heads = kv_heads,
                             .d_ff = 40,
                             .norm = norm,
                             .feed_forward = kind,
                             .activation = rotary ? Activation::silu : Activation::gelu,
                             .attention_bias = bias,
                             .feed_forward_bias = in_network,
                             .positions = rotary ? PositionChoice(Rotary{}) : NoPositions{},
                             .max_len = 14});
    return all;
}

std::string described(const BlockConfig& c) {
    const bool gated = c.feed_forward == FeedForwardKind::swiglu;
    const char* biases[] = {"no bias", "biases of q, k and v", "all biases"};
    return fmt::format(
        "{}, {}{}, {}{}{}{}", c.norm == NormKind::layer_norm ? "LayerNorm" : "RMSNorm",
        gated ? "SwiGLU" : "FeedForward", !gated && c.activation == Activation::silu ? " with SiLU" : "",
        biases[static_cast<int>(c.attention_bias)],
        c.feed_forward_bias == Bias::no ? ", none in the network" : "", c.rotary() ? ", rotary" : "",
        c.grouped() ? fmt::format(", {} heads of keys for {}", c.kv_heads(), c.num_heads) : "");
}

}  // namespace tfs::test
