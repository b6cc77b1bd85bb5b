// chapters/10_training/models/character_sampling.hpp · a character model writes by chance
#pragma once

#include <span>
#include <string>

#include "chapters/09_transformer/models/text_transformer.hpp"

namespace tfs {

// An id by chance: each one as often as p = softmax(logits / temperature) says. ValueError if there are no logits, the
// temperature is not above 0, or a logit is not finite.
[[nodiscard]] std::size_t sampled_id(std::span<const float> logits, double temperature, Rng& rng);

// What the model writes after `prompt`: `count` characters, one after the other, without dropout. Of a text that is longer
// than its context it sees the end. ValueError if the prompt is empty or has a character that it doesn't know.
[[nodiscard]] std::string sample_text(const TextTransformer& model, const std::string& prompt,
                                      std::size_t count, double temperature, Rng& rng);

}  // namespace tfs
