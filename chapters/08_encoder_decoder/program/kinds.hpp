// chapters/08_encoder_decoder/program/kinds.hpp · the three kinds on one input: shapes, maps, who can change whom
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "common/program.hpp"

namespace tfs {

struct KindSettings {
    Tokens source, target;
    StackConfig config;
    std::uint64_t seed = 1;
    bool ascii = false;
};

// A stack of each kind at equal width, untrained, and what enters them: token embeddings plus positions.
struct Kinds {
    Stack encoder, decoder;
    EncoderDecoder both;
    Tensor source, target;  // (1, source, d_model), (1, target, d_model)

    explicit Kinds(const KindSettings& s);
};

// What one run of all three gives.
struct KindOutputs {
    StackOutput encoder, decoder;
    Memory memory;
    CrossStackOutput both;
};

// Where an entry is not 0: which pairs look at each other, or change each other.
xt::xarray<bool> not_zero(const Array& values);

// The pairs (row, column) that are true, and those of them with a later column.
struct Pairs {
    std::size_t all = 0, later = 0;
};
Pairs count_pairs(const xt::xarray<bool>& pairs);

// Runs all three and traces the shapes.
KindOutputs trace_kinds(Trace& trace, const Kinds& kinds);

// Prints how many pairs of positions do look at each other (a weight above 0 in any layer and head), and draws layer 1, head 1 of each.
HeatMapFigure show_who_looks(std::ostream& out, const KindSettings& s, const KindOutputs& outputs);

// Exchanges one input position after the other, and prints and draws how much every output position changes.
HeatMapFigure measure_influence(std::ostream& out, const KindSettings& s, const Kinds& kinds);

// The cross map of layer 1, head 1 in the terminal: target (down) x source (right).
void show_cross_map(Trace& trace, std::ostream& out, const KindSettings& s, const KindOutputs& outputs);

// The maps of all layers and heads of the encoder-decoder, a sheet for each of its three attentions.
std::vector<HeatMapFigure> draw_all_maps(const KindSettings& s, const KindOutputs& outputs);

// The first block of both stacks, whose weights are the same, under the mask of each.
void measure_one_block(std::ostream& out, const KindSettings& s, const Kinds& kinds);

// A source with padding, masked and not masked, beside the source alone.
void measure_padding(std::ostream& out, const Kinds& kinds);

}  // namespace tfs
