// chapters/09_transformer/models/reading.hpp · what a decoder computes on its way through a text, for looking into it
#pragma once

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// Texts on their way through the blocks of a model of one sequence.
struct Reading {
    std::vector<Tensor>
        streams;  // (batch, seq, d_model): what enters the first block, and what leaves each one
    std::vector<Tensor> halves;  // the same between the two halves of each block
    std::vector<Tensor>
        weights;  // (batch, heads, query, key), one for each block; without entries where they are not kept
};
// ids (batch, seq). Throws as the model; ValueError if the model is an encoder-decoder.
[[nodiscard]] Reading read_through(const Transformer& model, const Ids& ids, Weights keep = Weights::keep);

// What the model would guess if the blocks behind this stream were left out: its final norm and its logits at once (the "logit
// lens" of nostalgebraist, 2020). stream (batch, seq, d_model) -> (batch, seq, vocab)
[[nodiscard]] Tensor lens(const Transformer& model, const Tensor& stream);

// One weight of one head as the sum behind it: score = q · k / sqrt(d_k), weight = exp(score) / the sum over the keys.
struct WeightParts {
    std::vector<float> query, key,
        value;           // (d_k), (d_k), (d_v); with rotary positions they are turned already
    double score = 0.0;  // of these two
    std::vector<double> scores =
        {};  // of the query with each key that it may see, the first ones of the text
};
// `block` reads `stream` (1, seq, d_model); head, query and key count from 0. ValueError if there is no such head, query or key, or
// the key is later than the query. For blocks without ALiBi.
[[nodiscard]] WeightParts weight_parts(const TransformerBlock& block, const Tensor& stream, std::size_t head,
                                       std::size_t query, std::size_t key);

}  // namespace tfs
