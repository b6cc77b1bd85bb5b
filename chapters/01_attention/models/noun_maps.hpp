// chapters/01_attention/models/noun_maps.hpp · what the last word of a sentence looks at, as a figure of several chapters
#pragma once

#include "chapters/01_attention/models/noun_finder.hpp"
#include "common/figures.hpp"

namespace tfs {

// The sentence, and an arc from its last word to each word that this looks at. `weights`: one for each word.
[[nodiscard]] ArcPanel last_word_arcs(const std::vector<std::string>& sentence,
                                      const std::vector<float>& weights);

// The sentence with each of these last words, and what that word looks at. (No other word was ever asked in training.)
[[nodiscard]] ArcFigure noun_maps(const NounFinder& model, std::vector<std::string> sentence,
                                  const std::vector<std::string>& last_words);

}  // namespace tfs
