// chapters/06_residual_dropout/program/places.hpp · dropout and residuals on a sentence: masks, attention, a whole block
#pragma once

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/program.hpp"

namespace tfs {

struct PlaceSettings {
    Tokens tokens;
    std::size_t heads = 4;
    double p = 0.2;
    std::uint64_t seed = 1;
    bool ascii = false;
};

// Token embeddings plus positions (1, seq, d_model), and dropout on the sum. Returns the sum, without dropout.
Tensor show_embedding(Trace& trace, const PlaceSettings& s, std::size_t d_model);

// Masks of three p, and of three calls of one generator, on the sentence x.
HeatMapFigure draw_masks(Trace& trace, const PlaceSettings& s, const Tensor& x);

// The weights of one head before and after dropout, printed and as a figure.
HeatMapFigure draw_attention(Trace& trace, const PlaceSettings& s, const Tensor& x);

// A pre-norm block of attention and feed-forward network with dropout in every place, in training and in evaluation.
void show_block(Trace& trace, const PlaceSettings& s, const Tensor& x);

// What the source notes do in their blocks: three calls of one norm, a norm of a norm, two dropouts around attention.
void show_notes(Trace& trace, const PlaceSettings& s, const Tensor& x);

}  // namespace tfs
