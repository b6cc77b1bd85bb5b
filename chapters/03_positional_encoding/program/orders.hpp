// chapters/03_positional_encoding/program/orders.hpp · attention with each way of telling positions, and what an order changes
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

// Puts the tokens of x into another order and compares the output with the output in that order, for every way of
// telling positions. Prints a table.
void measure_orders(std::ostream& out, const PositionedAttention& layer, const Tensor& x, std::uint64_t seed);

}  // namespace tfs
