// chapters/07_block/models/hand_made_blocks.hpp · what the two blocks of the puzzle look at
#pragma once

#include <string>
#include <vector>

#include "chapters/07_block/two_blocks.hpp"

namespace tfs {

// The words of a sentence as rows of the stream (1, seq, 9). ValueError, which names it, for a word without features.
[[nodiscard]] Tensor stream_of(const std::vector<std::string>& sentence);

// The maps of both blocks, (1, query, key). ShapeError, which says what is wrong, where the shapes of the weights are not
// those of the contract.
struct HandMadeMaps {
    Tensor first, second;
};
[[nodiscard]] HandMadeMaps maps_of(const HandMadeBlocks& blocks, const std::vector<std::string>& sentence);

// The weights that "it" gives to each word.
[[nodiscard]] std::vector<float> row_of_it(const Tensor& map, const std::vector<std::string>& sentence);

}  // namespace tfs
