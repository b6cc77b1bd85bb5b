// chapters/02_masks/program/example.hpp · what the program works on: a sentence, and a padded batch that begins with it
#pragma once

#include <vector>

#include "chapters/02_masks/masks.hpp"
#include "common/program.hpp"

namespace tfs {

inline constexpr std::int64_t pad_id = 0;

struct Example {
    Tokens tokens;                     // of the text
    Tensor x;                          // (1, seq, d_model): its embeddings
    std::vector<Tokens> sentences;     // of the batch, the text first; padded with "<pad>" to one length
    std::vector<std::size_t> lengths;  // without the padding
    Ids ids;                           // (batch, seq)
    Tensor batch_x;                    // (batch, seq, d_model)
    MultiHeadAttention attention;
    std::size_t window;
    std::uint64_t seed;  // of everything random
};

// Embeddings and weights are random, nothing is trained.
Example make_example(const Tokens& tokens, std::size_t d_model, std::size_t heads, std::size_t window,
                     std::uint64_t seed);

// The (query, key) map of one sequence of a mask, written out.
xt::xarray<bool> map_of(const Mask& mask, std::size_t sequence, std::size_t queries, std::size_t keys);

std::size_t count_allowed(const xt::xarray<bool>& map);

}  // namespace tfs
