// chapters/13_long_inputs/given/tiles.hpp · what attention in tiles is made of: products of tiles, exponentials of a row
#pragma once

#include "chapters/13_long_inputs/long_inputs.hpp"
#include "common/kernels/attention_tiles.hpp"

namespace tfs {

inline constexpr std::size_t block_queries = kernels::tile_queries, tile_keys = kernels::tile_keys;

// 0 … size - 1, cut into pieces of `step`; the last one may be shorter.
[[nodiscard]] std::vector<Range> pieces_of(std::size_t size, std::size_t step);

// q kᵀ / sqrt(d_k) of these queries and these keys: (queries, keys). Each call counts as a tile.
[[nodiscard]] Matrix scores_of(const Head& head, Range queries, Range keys);
// Of all threads, since the last call.
std::size_t tiles_computed();
// -inf where a query of the block does not see a key of the tile; `visible` is that of all queries.
void hide(Matrix& scores, Range queries, Range keys, const Visible& visible);

// The largest of a row and of `so_far`.
[[nodiscard]] float largest_in(std::span<const float> row, float so_far);
// The row becomes exp(row - shift), where `shift` is finite or +inf. Returns the sum.
float to_weights(std::span<float> row, float shift);
void multiply(std::span<float> row, float factor);

// Products of tiles; a matrix and a range are these rows of it.
// sum += a b: weights (queries, keys) and the values of these keys give an output (queries, d_v).
void add_product(Matrix& sum, Range sum_rows, const Matrix& a, const Matrix& b, Range b_rows);
// sum += aᵀ b: weights (queries, keys) and gradients of these queries give those of the values of these keys.
void add_transposed_product(Matrix& sum, Range sum_rows, const Matrix& a, const Matrix& b, Range b_rows);
// a bᵀ: gradients (queries, d_v) and the values of these keys give (queries, keys).
[[nodiscard]] Matrix product_with_transposed(const Matrix& a, const Matrix& b, Range b_rows);

// --- checks of arguments
void require_block(const Head& head, Range queries, const Visible& visible);
void require_gradient(const Head& head, Range queries, const Visible& visible, const BlockOutput& block,
                      const Matrix& d_output, const HeadGradients& gradients);
void require_tile(std::span<const KeySpan> visible, Range keys);
void require_same_width(const char* what, std::size_t width, std::size_t other);
void require_position(std::size_t position, std::size_t length, std::size_t machines);

}  // namespace tfs
