// chapters/07_block/models/it_maps.hpp · what the blocks of the trained reader of "it" look at
#pragma once

#include <string>
#include <vector>

#include "chapters/07_block/models/it_reader.hpp"

namespace tfs {

// The position of "it". ValueError if there is none.
[[nodiscard]] std::size_t place_of_it(const std::vector<std::string>& sentence);

// The key that a query looks at most, in head 1 of the first sequence: weights (batch, heads, query, key).
[[nodiscard]] std::size_t most_seen(const Tensor& weights, std::size_t query);

// A sentence, and the weights of each block, (1, heads, query, key). ValueError, which names it, for a word that the reader
// doesn't know, and where there is no "it".
struct ItMaps {
    std::vector<std::string> sentence;
    std::vector<Tensor> weights;

    // "it" looks most at this word, with this weight.
    [[nodiscard]] const std::string& word(std::size_t block) const;
    [[nodiscard]] float weight(std::size_t block) const;
};
[[nodiscard]] ItMaps it_maps(const ItReader& reader, const std::vector<std::string>& sentence);

}  // namespace tfs
