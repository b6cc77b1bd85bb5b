// chapters/10_training/models/recording.hpp · makes the recording that steps of earlier chapters read
#pragma once

#include "chapters/10_training/models/corpus.hpp"
#include "common/io/weights.hpp"

namespace tfs {

// What the decoder computes on held-out text of this corpus: 60 hidden units in 2,000 contexts, and at 50 positions the parts of
// the stream and the five likeliest characters. ValueError if the model is not of the shipped one's kind and size, or the text is
// too short.
[[nodiscard]] CharacterRecording recorded(const TextTransformer& model, const Corpus& corpus);

}  // namespace tfs
