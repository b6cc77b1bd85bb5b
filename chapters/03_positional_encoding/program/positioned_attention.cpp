// chapters/03_positional_encoding/program/positioned_attention.cpp · one layer of attention, and each way of telling it positions
#include "chapters/03_positional_encoding/program/positioned_attention.hpp"

#include <cmath>
#include <limits>

#include "chapters/02_masks/masks.hpp"

namespace tfs {

namespace {

struct Heads {
    Tensor q, k, v;
};

Heads projected(const MultiHeadAttention& attention, const Tensor& x) {
    return {split_heads(attention.w_q(x), attention.num_heads),
            split_heads(attention.w_k(x), attention.num_heads),
            split_heads(attention.w_v(x), attention.num_heads)};
}

}  // namespace

xt::xarray<bool> causal_square(std::size_t seq) {
    xt::xarray<bool> allowed = causal_mask(seq).array();  // (1, 1, query, key)
    allowed.reshape({seq, seq});
    return allowed;
}

AttentionOutput biased_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias,
                                 const std::optional<Mask>& mask) {
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    Tensor scores = matmul(q, k, Transpose::b) * scale + bias;  // (batch, heads, query, key)
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor weights = softmax(scores);
    return {matmul(weights, v), weights};
}

PositionedAttention::PositionedAttention(std::size_t width, std::size_t num_heads, std::size_t max_length,
                                         std::uint64_t seed_of_weights)
    : attention([&] {
          Rng rng(seed_of_weights);
          return MultiHeadAttention(width, num_heads, rng);
      }()),
      d_model(width),
      max_len(max_length),
      seed(seed_of_weights) {}

SinusoidalPositionalEncoding PositionedAttention::sinusoids() const { return {d_model, max_len}; }

LearnedPositionalEmbedding PositionedAttention::learned() const {
    Rng rng(seed + 1);
    return {d_model, max_len, rng};
}

RotaryEmbedding PositionedAttention::rotary() const { return {d_model / attention.num_heads, max_len}; }

Tensor PositionedAttention::plain(const Tensor& x, const std::optional<Mask>& mask) const {
    return attention(x, x, x, mask).output;
}

Tensor PositionedAttention::with_rotary(const Tensor& x) const {
    const auto [q, k, v] = projected(attention, x);
    return attention.w_o(merge_heads(rotary_attention(q, k, v, rotary()).output));
}

Tensor PositionedAttention::with_alibi(const Tensor& x) const {
    const auto [q, k, v] = projected(attention, x);
    const Tensor bias = alibi_bias(attention.num_heads, x.size(1), x.size(1));
    return attention.w_o(merge_heads(biased_attention(q, k, v, bias).output));
}

}  // namespace tfs
