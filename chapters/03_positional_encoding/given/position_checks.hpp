// chapters/03_positional_encoding/given/position_checks.hpp · the checks of chapter 03, given: one sentence with the likely cause; tables of angles
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

// x (…, seq, width). ShapeError.
void require_width(std::string_view what, const Tensor& x, std::size_t width);

// The positions offset … offset + seq - 1 are in a table of max_len rows. ValueError.
void require_positions(std::string_view what, std::size_t offset, std::size_t seq, std::size_t max_len);

// x (…, seq, d_k) fits the table of `rotary`. ShapeError, ValueError.
void require_rotary(const Tensor& x, const RotaryEmbedding& rotary, std::size_t offset);

// How many pairs the columns of x make. ShapeError where there are none, or one is left over.
[[nodiscard]] std::size_t pairs_of_columns(const Tensor& x);

// Of the angles pos * frequencies[i]: (max_len, pair) each.
[[nodiscard]] std::pair<Tensor, Tensor> cosines_and_sines(const std::vector<double>& frequencies,
                                                          std::size_t max_len);

}  // namespace tfs
