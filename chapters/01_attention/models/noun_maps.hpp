// chapters/01_attention/models/noun_maps.hpp · what the last word of a sentence looks at, as a figure of several chapters
#pragma once

#include "chapters/01_attention/models/noun_finder.hpp"
#include "common/figures.hpp"

namespace tfs {

// The sentence with each of these last words: a map of the first head for each. Only the last row was ever trained; the
// others are pale.
[[nodiscard]] HeatMapFigure noun_maps(const NounFinder& model, std::vector<std::string> sentence,
                                      const std::vector<std::string>& last_words);

}  // namespace tfs
