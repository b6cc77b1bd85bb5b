// common/kernels/attention_tiles.hpp · attention in tiles: a block of queries meets a block of keys, and no more weights are ever there
//
// Sources: Dao et al. 2022 (arXiv:2205.14135), algorithms 1 and 4; Milakov and Gimelshein 2018 (arXiv:1805.02867) for the maximum
// and the sum that run along a row.
#pragma once

#include <cstddef>
#include <functional>

namespace tfs::kernels {

inline constexpr std::size_t tile_queries = 96, tile_keys = 128;

// What the queries of a tile may attend to: no key after its first `keys`; `all` says that every query sees each of these.
struct Sight {
    std::size_t keys;
    bool all;
};

// softmax(scale q kᵀ + what `adjust_scores` adds) v, of heads that do not depend on each other: q (heads, query, d_k), k (heads, key, d_k),
// v (heads, key, d_v), all contiguous. A row is a query, counted over all heads.
struct AttentionTiles {
    std::size_t heads = 1, query = 0, key = 0, d_k = 0, d_v = 0;
    float scale = 1.0f;
    // Asked of rows of one head; without it all is seen.
    std::function<Sight(std::size_t row, std::size_t rows, std::size_t key, std::size_t keys)> sight = {};
    // Changes a tile, whose rows begin `row_step` floats apart.
    using Change = std::function<void(std::size_t row, std::size_t rows, std::size_t key, std::size_t keys,
                                      float* tile, std::size_t row_step)>;
    // Adds a bias to the scores, and makes those that are hidden -inf. It is called where not all is seen, or always.
    Change adjust_scores = {};
    bool always_adjust = false;
    // Multiplies each weight p by a factor m, as in dropout, which depends on its row and key alone. The sum of the softmax is
    // taken before: the output is the sum of m p v.
    Change adjust_weights = {};
};

// output (heads, query, d_v), and for each row the logarithm of its sum of exponentials: all that the backward pass needs of the
// weights. A row that sees nothing gives zeros, and +inf. Returns the number of tiles that were computed. The result is the
// same, to the bit, for any number of threads.
std::size_t attention_forward(const AttentionTiles& a, const float* q, const float* k, const float* v,
                              float* output, float* log_sums);

// The gradients of q, k and v; each of them may be null. The weights are computed once more, tile by tile:
//   p = exp(scores - log_sum)   dv += (m p)ᵀ dO   ds = p (m dO vᵀ - sum(dO output))   dq = ds k   dk += dsᵀ q
void attention_backward(const AttentionTiles& a, const float* q, const float* k, const float* v,
                        const float* output, const float* log_sums, const float* d_output, float* dq,
                        float* dk, float* dv);

}  // namespace tfs::kernels
