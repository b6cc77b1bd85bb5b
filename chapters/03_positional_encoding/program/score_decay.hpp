// chapters/03_positional_encoding/program/score_decay.hpp · what distance does to a score: sinusoids, rotary positions, ALiBi
#pragma once

#include "common/program.hpp"

namespace tfs {

// Dot products of sinusoids, the mean of random rotary scores, and the factor of ALiBi, against the distance.
LineFigure decay_figure(std::uint64_t seed);

}  // namespace tfs
