// chapters/08_encoder_decoder/program/trained_figures.hpp · one figure for each kind of model, with trained weights
#pragma once

#include "chapters/08_encoder_decoder/models/trained_maps.hpp"
#include "common/figures.hpp"

namespace tfs {

// An encoder: head 1 of its first and of its last layer, on a sentence of words that it knows, with an "it".
[[nodiscard]] HeatMapFigure encoder_figure(const ItReader& reader, const std::vector<std::string>& sentence);

// A decoder: two heads on a text: in one each letter looks most at the character before, in the other each row at the last
// space.
[[nodiscard]] HeatMapFigure decoder_figure(const CharacterDecoder& writer);

// An encoder-decoder: the cross-attention of layer 1, from the date that it writes to the date that it reads.
[[nodiscard]] HeatMapFigure cross_figure(const DateTranslator& dates, const std::string& date,
                                         const std::string& answer);

}  // namespace tfs
