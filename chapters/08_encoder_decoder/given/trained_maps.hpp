// chapters/08_encoder_decoder/given/trained_maps.hpp · who looks at whom in two models that chapter 10 trained, given
#pragma once

#include <string>
#include <vector>

#include "chapters/07_block/given/it_maps.hpp"
#include "chapters/08_encoder_decoder/given/trained_dates.hpp"
#include "common/figures.hpp"

namespace tfs {

struct TrainedModels {
    ItReader reader;     // an encoder: which animal is "it"?
    TrainedDates dates;  // an encoder-decoder: "8 Apr 1998" -> "1998-04-08"
};

// The reader's blocks as a Stack of this chapter.
[[nodiscard]] Stack encoder_of(const ItReader& reader);

// The weights of each layer of that stack on a sentence, (1, heads, query, key). ValueError, which names it, for a word that
// the reader doesn't know, and where there is no "it".
[[nodiscard]] std::vector<Tensor> encoder_maps(const ItReader& reader,
                                               const std::vector<std::string>& sentence);

// One label for each character; `space` for a space, which would not be seen.
[[nodiscard]] std::vector<std::string> labels_of(const std::string& text, const std::string& space);

// Head 1 of the encoder's layers on the sentence, of the decoder's layer 1 on its answer so far, and of the same layer's
// cross-attention from the answer to the written date.
[[nodiscard]] HeatMapFigure trained_who_looks(const TrainedModels& models,
                                              const std::vector<std::string>& sentence,
                                              const std::string& date);

}  // namespace tfs
