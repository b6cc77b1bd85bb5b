// chapters/08_encoder_decoder/models/trained_maps.hpp · who looks at whom in three models that chapter 10 trained
#pragma once

#include <string>
#include <vector>

#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/08_encoder_decoder/models/trained_networks.hpp"

namespace tfs {

// The reader's blocks as a Stack of this chapter.
[[nodiscard]] Stack encoder_of(const ItReader& reader);

// The weights of each layer of that stack on a sentence, (1, heads, query, key). ValueError, which names it, for a word that
// the reader doesn't know, and where there is no "it".
[[nodiscard]] std::vector<Tensor> encoder_maps(const ItReader& reader,
                                               const std::vector<std::string>& sentence);

// One label for each character; `space` for a space, which would not be seen.
[[nodiscard]] std::vector<std::string> labels_of(const std::string& text, const std::string& space = "␣");

}  // namespace tfs
