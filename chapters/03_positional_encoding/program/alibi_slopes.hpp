// chapters/03_positional_encoding/program/alibi_slopes.hpp · ALiBi: its slopes, and the two ways of writing its bias
#pragma once

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

// ALiBi as the paper defines it and as its published code adds it: the same weights under a causal mask. Prints the slopes
// as well.
void measure_alibi(Show& show);

HeatMapFigure bias_figure(std::size_t num_heads, std::size_t seq);  // the bias of a few heads

}  // namespace tfs
