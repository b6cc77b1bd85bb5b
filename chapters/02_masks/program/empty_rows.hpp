// chapters/02_masks/program/claims.hpp · what the lesson claims, measured
#pragma once

#include "chapters/02_masks/program/example.hpp"

namespace tfs {

// Does a later input change an earlier output, or get a gradient from it? Under no mask, under several, and under masks
// that act after the softmax. The figure shows |d output_i / d input_j| as a power of ten, exact zeros crossed.
HeatMapFigure measure_leak(std::ostream& out, const Example& example);

// Each sentence of the padded batch against the same sentence alone, with the padding mask and without.
void measure_padding(std::ostream& out, const Example& example);

// What a query that may attend to nothing gets, where "forbidden" is -infinity, -1e9 or -1e4: PyTorch's formula, rounded
// to float32 or to half precision after every step.
void measure_nothing_allowed(std::ostream& out, std::uint64_t seed);

// How far back the last output of a stack of windowed layers sees.
void measure_reach(std::ostream& out, std::uint64_t seed);

}  // namespace tfs
