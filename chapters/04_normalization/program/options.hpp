// chapters/04_normalization/program/options.hpp · what several sections of chapter 04 share: options, a sentence
#pragma once

#include "chapters/04_normalization/normalization.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence();
inline const CountOption d_model = model_width(2);

}  // namespace options

// rows_after_a_norm.cpp · Embeddings of the sentence (1, seq, d_model). We give each token its own size and offset, as later
// layers see them. Reads --text, --d-model, --seed.
[[nodiscard]] Tensor uneven_embeddings(const Request& request);

}  // namespace tfs
