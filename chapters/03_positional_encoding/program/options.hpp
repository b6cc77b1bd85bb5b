// chapters/03_positional_encoding/program/options.hpp · what several sections of chapter 03 share: options, the sentence, small measures
#pragma once

#include <cmath>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence();
inline const CountOption heads = number_of_heads(), d_model = model_width(1, 1024);
inline const CountOption max_len{"--max-len", 128, 1, 8192,
                                 "positions in the tables, at least as many as tokens"};

}  // namespace options

// The sentence as random embeddings x (1, seq, d_model). Reads --text, --d-model, --seed.
[[nodiscard]] Tensor sentence_vectors(const Request& request);

// A text for the maps of marker finders, the words as ids, and a map (query, key) over it.
extern const std::vector<std::int64_t> marker_text;
[[nodiscard]] HeatMapPanel marker_panel(const std::string& title, const Array& map);

// What pair `pair` of `width` columns turns by from one position to the next.
inline double frequency(std::size_t pair, std::size_t width) {
    return std::pow(10000.0, -2.0 * static_cast<double>(pair) / static_cast<double>(width));
}

// To three digits: a picture of it is the same on all machines.
inline double rounded(double value) { return std::round(1000.0 * value) / 1000.0; }

inline double difference(const Tensor& a, const Tensor& b) {
    return largest_difference(a.array(), b.array());
}

}  // namespace tfs
