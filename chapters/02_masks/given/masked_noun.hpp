// chapters/02_masks/given/masked_noun.hpp · the trained head of chapter 01 under a mask, given
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chapters/01_attention/given/noun_finder.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

// What the last word of a sentence attends to, and which noun the model guesses from that.
struct MaskedNoun {
    Tensor weights;       // (1, heads, query, key)
    std::string word;     // that the last word attends to most, in head 1
    float weight = 0.0f;  // its weight
    std::string answer;
};
//   mask: broadcastable to (1, heads, query, key)
// ValueError, which names it, for a word that the model doesn't know.
[[nodiscard]] MaskedNoun noun_under(const NounFinder& model, const std::vector<std::string>& sentence,
                                    const std::optional<Mask>& mask = std::nullopt);

// The ids of sentences of one length, (batch, seq); "<pad>" becomes the id `padding`. Errors as above.
[[nodiscard]] Ids padded_ids(const NounFinder& model, const std::vector<std::vector<std::string>>& sentences,
                             std::int64_t padding);

}  // namespace tfs
