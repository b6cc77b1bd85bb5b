// chapters/02_masks/program/padded_batch.hpp · what the program works on: a sentence, and a padded batch that begins with it
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
};

// Embeddings and weights are random, nothing is trained.
Example make_example(const Show& show, std::size_t window);

// Prints the batch as it is stored: token ids, padded to one length.
void show_batch(Show& show, const Example& example);

// The (query, key) map of one sequence of a mask, written out.
xt::xarray<bool> map_of(const Mask& mask, std::size_t sequence, std::size_t queries, std::size_t keys);

std::size_t count_allowed(const xt::xarray<bool>& map);

}  // namespace tfs
