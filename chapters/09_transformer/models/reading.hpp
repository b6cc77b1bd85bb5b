// chapters/09_transformer/models/reading.hpp · what a decoder computes on its way through a text, for looking into it
#pragma once

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// Texts on their way through the blocks of a model of one sequence.
struct Reading {
    // (batch, seq, d_model): what enters the first block, and what leaves each one; and between the two halves of each.
    std::vector<Tensor> streams, halves;
    // (batch, heads, query, key), one for each block; without entries where they are not kept.
    std::vector<Tensor> weights;
};
// ids (batch, seq). Throws as the model; ValueError if the model is an encoder-decoder.
[[nodiscard]] Reading read_through(const Transformer& model, const Ids& ids, Weights keep = Weights::keep);

// What the model would guess if the blocks behind this stream were left out: its final norm and its logits at once (the "logit
// lens" of nostalgebraist, 2020). stream (batch, seq, d_model) -> (batch, seq, vocab)
[[nodiscard]] Tensor lens(const Transformer& model, const Tensor& stream);

}  // namespace tfs
