// chapters/08_encoder_decoder/program/trained_figures.hpp · what a trained encoder-decoder looks at
#pragma once

#include "chapters/08_encoder_decoder/models/trained_maps.hpp"
#include "common/figures.hpp"

namespace tfs {

// An encoder-decoder: the cross-attention of layer 1, from the date that it writes to the date that it reads.
[[nodiscard]] HeatMapFigure cross_figure(const DateTranslator& dates, const std::string& date,
                                         const std::string& answer);

}  // namespace tfs
