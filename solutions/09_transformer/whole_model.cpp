// Step 9.6 · whole_model · ●●● · 60 min, optional
// solutions/09_transformer/whole_model.cpp
#include "chapters/09_transformer/whole_model.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "common/nn/keys_values.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

std::vector<Stage> WholeModel::operator()(const Ids& ids) const {
    require_ids("WholeModel", config, ids);
    // begin: A GPT from ids to logits, made of your own parts. The contract, chapters/09_transformer/whole_model.hpp, names its
    // weights. Return what each part gives: {"embedding", x}, {"blocks.0", x}, …, {"final_norm", x}, {"logits", …}.
    const BlockConfig& c = config.block;
    const std::size_t seq = ids.shape()[1], heads = c.num_heads;
    const bool swiglu = c.feed_forward == FeedForwardKind::swiglu;
    const bool qkv_bias = c.attention_bias != AttentionBias::none;
    const bool o_bias = c.attention_bias == AttentionBias::all;
    const bool network_bias = !swiglu && c.feed_forward_bias == Bias::yes;
    const Mask causal = causal_mask(seq);   // (1, 1, query, key)
    std::optional<RotaryEmbedding> rotary;  // cos and sin of the angles: (seq, d_k / 2)
    if (c.rotary()) rotary.emplace(c.d_model / heads, seq, c.rotary()->theta);
    std::vector<Stage> stages;

    // A row of the table for each token. Positions are added here, too, unless queries and keys are turned by them below.
    Tensor x = embedding(weight("embedding.weight"), ids);  // (batch, seq, d_model)
    if (!rotary) x = x + slice(weight("positions.embedding.weight"), 0, 0, seq);
    stages.push_back({"embedding", x});

    for (std::size_t i = 0; i < config.num_layers; ++i) {
        const std::string block = fmt::format("blocks.{}", i);

        // Self-attention: each position adds what it finds at its own and at earlier ones.
        const std::string attention = block + ".attention.";
        Tensor in = norm(attention + "norm", x);                                 // (batch, seq, d_model)
        Tensor q = split_heads(linear(attention + "w_q", in, qkv_bias), heads);  // (batch, heads, seq, d_k)
        Tensor k = split_heads(linear(attention + "w_k", in, qkv_bias), heads);  // (batch, heads, seq, d_k)
        Tensor v = split_heads(linear(attention + "w_v", in, qkv_bias), heads);  // (batch, heads, seq, d_v)
        if (rotary) q = apply_rotary(q, *rotary, c.rotary()->layout);
        if (rotary) k = apply_rotary(k, *rotary, c.rotary()->layout);
        const Tensor seen =
            scaled_dot_product_attention(q, k, v, causal, std::nullopt, Weights::none).output;  // as v
        x = x + linear(attention + "w_o", merge_heads(seen), o_bias);  // (batch, seq, d_model)

        // The feed-forward network: each position by itself.
        const std::string network = block + ".feed_forward.";
        in = norm(network + "norm", x);                              // (batch, seq, d_model)
        const Tensor up = linear(network + "up", in, network_bias);  // (batch, seq, d_ff)
        const Tensor hidden =
            swiglu ? silu(linear(network + "gate", in, false)) * up : activate(c.activation, up);
        x = x + linear(network + "down", hidden, network_bias);  // (batch, seq, d_model)
        stages.push_back({block, x});
    }
    x = norm("final_norm", x);  // (batch, seq, d_model)
    stages.push_back({"final_norm", x});

    // A score for each token: the product with its row, of the same table or of one that the output has for itself.
    const std::string table = config.tied_output ? "embedding" : "output";
    stages.push_back({"logits", linear(table, x, false)});  // (batch, seq, vocab)
    return stages;
    // end
}

}  // namespace tfs
