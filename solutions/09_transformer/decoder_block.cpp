// Step 9.2 · decoder_block · ●●● · 25 min
// solutions/09_transformer/decoder_block.cpp
#include <fmt/format.h>

#include <string>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/whole_model.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

Tensor Gpt::block(std::size_t i, Tensor x) const {
    require_hidden("block", config, x);
    const std::string attention = fmt::format("blocks.{}.attention.", i);  // as in attention + "w_q"
    const std::string network = fmt::format("blocks.{}.feed_forward.", i);
    // begin: Both halves of the block, with the functions of chapters 00 to 05. The contract, chapters/09_transformer/whole_model.hpp,
    // names the weights.
    const BlockConfig& c = config.block;
    const std::size_t seq = x.size(1), heads = c.num_heads;

    // Self-attention: each position adds what it finds at its own and at earlier ones.
    Tensor in = norm(attention + "norm", x);                       // (batch, seq, d_model)
    Tensor q = split_heads(linear(attention + "w_q", in), heads);  // (batch, heads, seq, d_k)
    Tensor k = split_heads(linear(attention + "w_k", in), heads);  // (batch, heads, seq, d_k)
    Tensor v = split_heads(linear(attention + "w_v", in), heads);  // (batch, heads, seq, d_v)
    if (c.rotary()) {
        const RotaryEmbedding angles(c.d_model / heads, seq, c.rotary()->theta);
        q = apply_rotary(q, angles, c.rotary()->layout);
        k = apply_rotary(k, angles, c.rotary()->layout);
    }
    const Tensor seen = scaled_dot_product_attention(q, k, v, causal_mask(seq)).output;  // as v
    x = x + linear(attention + "w_o", merge_heads(seen));  // (batch, seq, d_model)

    // The feed-forward network: each position by itself.
    in = norm(network + "norm", x);                                          // (batch, seq, d_model)
    const Tensor wide = activate(c.activation, linear(network + "up", in));  // (batch, seq, d_ff)
    return x + linear(network + "down", wide);                               // (batch, seq, d_model)
    // end
}

std::vector<Tensor> Gpt::operator()(const Ids& ids) const {
    // begin: The stages: rows, each block, logits.
    std::vector<Tensor> stages{rows(ids)};
    for (std::size_t i = 0; i < config.num_layers; ++i) stages.push_back(block(i, stages.back()));
    stages.push_back(logits(stages.back()));
    return stages;
    // end
}

}  // namespace tfs
