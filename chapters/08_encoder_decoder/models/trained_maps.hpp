// chapters/08_encoder_decoder/models/trained_maps.hpp · who looks at whom in three models that chapter 10 trained, given
#pragma once

#include <string>
#include <vector>

#include "chapters/07_block/models/it_maps.hpp"
#include "chapters/08_encoder_decoder/models/trained_networks.hpp"
#include "common/figures.hpp"

namespace tfs {

struct TrainedModels {
    ItReader reader;          // an encoder: which animal is "it"?
    CharacterDecoder writer;  // a decoder: which character comes next?
    DateTranslator dates;     // an encoder-decoder: "8 Apr 1998" -> "1998-04-08"
};

// The reader's blocks as a Stack of this chapter.
[[nodiscard]] Stack encoder_of(const ItReader& reader);

// The weights of each layer of that stack on a sentence, (1, heads, query, key). ValueError, which names it, for a word that
// the reader doesn't know, and where there is no "it".
[[nodiscard]] std::vector<Tensor> encoder_maps(const ItReader& reader,
                                               const std::vector<std::string>& sentence);

// One label for each character; `space` for a space, which would not be seen.
[[nodiscard]] std::vector<std::string> labels_of(const std::string& text, const std::string& space = "␣");

// One figure for each kind of model.
//   encoder: head 1 of its first and of its last layer, on a sentence of words that it knows, with an "it"
[[nodiscard]] HeatMapFigure encoder_figure(const ItReader& reader, const std::vector<std::string>& sentence);
//   decoder: two heads on a text: in one each letter looks most at the character before, in the other each row at the last space
[[nodiscard]] HeatMapFigure decoder_figure(const CharacterDecoder& writer);
//   encoder-decoder: the cross-attention of layer 1, from the date that it writes to the date that it reads
[[nodiscard]] HeatMapFigure cross_figure(const DateTranslator& dates, const std::string& date,
                                         const std::string& answer);

}  // namespace tfs
