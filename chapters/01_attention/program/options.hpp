// chapters/01_attention/program/options.hpp · what several sections of chapter 01 share: options, the sentence, single heads
#pragma once

#include "chapters/01_attention/attention.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence();
inline const CountOption heads = number_of_heads(), d_model = model_width();
inline const FlagOption untrained{"--untrained", "random weights in place of the trained head"};

}  // namespace options

// The sentence as random embeddings x (1, seq, d_model), and untrained attention for it. Reads --text, --heads, --d-model, --seed.
struct UntrainedAttention {
    Tensor x;
    MultiHeadAttention attention;
};
[[nodiscard]] UntrainedAttention untrained_attention(const Request& request);

// One head of several as a head of its own, with its slice of the weights.
[[nodiscard]] SelfAttention single_head(const MultiHeadAttention& attention, std::size_t head);

}  // namespace tfs
