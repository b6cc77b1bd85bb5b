// chapters/03_positional_encoding/program/positioned_attention.hpp · one layer of attention, and each way of telling it positions
#pragma once

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

// The causal mask of chapter 02 as a square (seq, seq), for maps.
xt::xarray<bool> causal_square(std::size_t seq);

// softmax(q kᵀ / sqrt(d_k) + bias) v: attention that adds a bias to its scores, which chapter 01 does not.
AttentionOutput biased_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias,
                                 const std::optional<Mask>& mask = std::nullopt);

// One layer of self-attention, and what tells it positions. Each way is made when it is asked for, so that one which is
// not written yet does not stand in the way of the others.
struct PositionedAttention {
    MultiHeadAttention attention;
    std::size_t d_model, max_len;
    std::uint64_t seed;

    PositionedAttention(std::size_t width, std::size_t num_heads, std::size_t max_length,
                        std::uint64_t seed_of_weights);

    SinusoidalPositionalEncoding sinusoids() const;
    LearnedPositionalEmbedding learned() const;
    RotaryEmbedding rotary() const;

    // x (batch, seq, d_model) -> the same shape: attention to what it is, with queries and keys turned, and with the bias
    // of ALiBi on the scores.
    Tensor plain(const Tensor& x, const std::optional<Mask>& mask = std::nullopt) const;
    Tensor with_rotary(const Tensor& x) const;
    Tensor with_alibi(const Tensor& x) const;
};

}  // namespace tfs
