// chapters/01_attention/program/options.hpp · what several sections of chapter 01 share: options, single heads, rows of weights
#pragma once

#include "chapters/01_attention/attention.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

// With the words that the noun finder knows.
[[nodiscard]] TextOption sentence_of_nouns();
inline const TextOption text = sentence_of_nouns();
inline const CountOption heads = number_of_heads(), d_model = model_width();

}  // namespace options

// One head of several as a head of its own, with its slice of the weights.
[[nodiscard]] SelfAttention single_head(const MultiHeadAttention& attention, std::size_t head);

// The last row along the last axis.
[[nodiscard]] std::vector<float> last_row(const Tensor& x);

}  // namespace tfs
