// chapters/06_residual_dropout/program/options.hpp · what several sections of chapter 06 share: options, the sentence, moments
#pragma once

#include <span>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence();
inline const CountOption heads = number_of_heads(), d_model = model_width(2, 256);
inline const RealOption p{"--p", 0.2, 0.0, 1.0, "probability to drop an entry, 0 <= p < 1"};

}  // namespace options

// The sentence as random token embeddings, and x: the same plus a position each; both (1, seq, d_model). The generator goes on
// after them. Reads --text, --d-model, --seed.
struct EmbeddedSentence {
    Tensor words, x;
    Rng rng;
};
[[nodiscard]] EmbeddedSentence embed_sentence(const Request& request);

struct Moments {
    double mean = 0.0, deviation = 0.0, smallest = 0.0, largest = 0.0;
};
[[nodiscard]] Moments moments(std::span<const float> values);

}  // namespace tfs
