// chapters/02_masks/given/padded_ids.hpp · sentences of different lengths in one batch, given
#pragma once

#include <string>
#include <vector>

#include "chapters/01_attention/models/noun_finder.hpp"

namespace tfs {

// The ids of sentences of one length, (batch, seq); "<pad>" becomes the id `padding`.
// ValueError, which names it, for a word that the model doesn't know.
[[nodiscard]] Ids padded_ids(const NounFinder& model, const std::vector<std::vector<std::string>>& sentences,
                             std::int64_t padding);

}  // namespace tfs
