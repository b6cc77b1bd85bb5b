// chapters/03_positional_encoding/program/lengths.hpp · what becomes of each way of telling positions past the trained length
#pragma once

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

// How many pairs turn less than once within the trained length, for a few models and for this d_k and length.
void count_slow_pairs(std::ostream& out, std::size_t d_k, std::size_t length);

// The refusal of a learned table, and how far the sinusoids of unseen positions lie from all seen ones.
void measure_unseen_rows(std::ostream& out, std::size_t d_model, std::uint64_t seed);

// Fits one head for each way at a short length, then asks it at longer ones. Prints a table; returns it as a figure.
LineFigure measure_lengths(std::ostream& out, std::uint64_t seed);

// Entropy and reach of untrained attention against the length. Prints a table.
void measure_spread(std::ostream& out, std::uint64_t seed);

}  // namespace tfs
