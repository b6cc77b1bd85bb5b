// chapters/03_positional_encoding/program/rotary_claims.hpp · what the lesson claims of rotary positions and ALiBi, measured
#pragma once

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

// Norms stay; a score depends on the distance alone; a part with an offset equals the part of the whole; one layout is
// the other with its columns in another order; turned values would bring absolute positions back.
void measure_rotary(std::ostream& out, std::uint64_t seed);

// The rotation of the source notes, whose angles are laid along the heads: an error, another shape, or no positions.
void measure_angles_along_heads(std::ostream& out, std::uint64_t seed);

// ALiBi as the paper defines it and as its published code adds it: the same weights. Prints the slopes as well.
void measure_alibi(std::ostream& out, std::size_t num_heads, std::uint64_t seed);

HeatMapFigure phases_figure(const RotaryEmbedding& rotary);  // the angle of each pair against the position
HeatMapFigure bias_figure(std::size_t num_heads, std::size_t seq);  // the bias of a few heads
LineFigure decay_figure(std::uint64_t seed);  // scores against distance: sinusoids, rotary, ALiBi

}  // namespace tfs
