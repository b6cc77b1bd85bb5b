// chapters/06_residual_dropout/models/layer_stack.hpp · a stack of untrained layers, whose sublayers can be joined in several ways
#pragma once

#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs::stack {

constexpr std::size_t positions = 16, width = 32, heads = 4, d_ff = 4 * width;

// A way to join a sublayer to x, with its norm or without.
using Join = std::function<Tensor(const Tensor& x, const LayerNorm& norm, const Sublayer& sublayer)>;

// Attention, then feed-forward: two sublayers, each with its norm.
struct Layer {
    MultiHeadAttention attention;
    FeedForward feed_forward;
    LayerNorm norm[2] = {LayerNorm(width), LayerNorm(width)};

    explicit Layer(Rng& rng) : attention(width, heads, rng), feed_forward(width, d_ff, rng) {}
    // (1, positions, width) -> the same.
    Tensor operator()(const Tensor& x, const Join& join) const;
};

std::vector<Layer> make_layers(std::size_t depth, std::uint64_t seed);

// The input of a stack: N(0, 1).
Tensor make_input(std::uint64_t seed);

}  // namespace tfs::stack
