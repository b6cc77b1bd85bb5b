// chapters/06_residual_dropout/models/layer_stack.hpp · a stack of untrained layers, whose sublayers can be joined in five ways
#pragma once

#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

namespace stack {

constexpr std::size_t positions = 16, width = 32, heads = 4, d_ff = 4 * width;
constexpr std::size_t deepest = 64, seeds = 5;  // layers, and runs that are averaged

enum class Wiring { plain, norm_only, residual, post_norm, pre_norm };
constexpr std::size_t wirings = 5;
constexpr const char* names[wirings] = {"s(x)", "norm(s(x))", "x + s(x)", "post-norm", "pre-norm"};

// Attention, then feed-forward: two sublayers, each with its norm.
struct Layer {
    MultiHeadAttention attention;
    FeedForward feed_forward;
    LayerNorm norm[2] = {LayerNorm(width), LayerNorm(width)};

    explicit Layer(Rng& rng);
    // (1, positions, width) -> the same. In pre-norm `factor` multiplies what each sublayer adds.
    Tensor operator()(Tensor x, Wiring wiring, float factor = 1.0f) const;
    Parameters parameters() const;  // of attention and feed-forward network
};

std::vector<Layer> make_layers(std::size_t depth, std::uint64_t seed);

// The input of a stack: N(0, 1).
Tensor make_input(std::uint64_t seed);

}  // namespace stack

}  // namespace tfs
