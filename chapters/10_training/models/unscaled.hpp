// chapters/10_training/models/unscaled.hpp · the first model without 1/sqrt(d_k)
#pragma once

#include "chapters/10_training/models/noun_training.hpp"

namespace tfs {

// The model's logits, but its attention is softmax(q kᵀ) v: ids (batch, seq) -> (batch, seq, words)
[[nodiscard]] Tensor logits_without_scale(const NounFinder& model, const Ids& ids);

// How the last word of each sentence of a batch attends. For a model with one head.
struct FirstAttention {
    double entropy = 0.0;   // of its weights, in nats; the mean
    double gradient = 0.0;  // the length of the loss's gradient at the input of the softmax
};
[[nodiscard]] FirstAttention first_attention(const NounFinder& model, const Batch& batch, bool scaled);

}  // namespace tfs
