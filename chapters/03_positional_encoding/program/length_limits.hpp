// chapters/03_positional_encoding/program/length_limits.hpp · what becomes of learned rows, sinusoids and rotary angles past the trained length
#pragma once

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

// How many pairs turn less than once within the trained length, for a few models and for a d_k and length.
void count_slow_pairs(Show& show, std::size_t d_k, std::size_t length);

// The refusal of a learned table, and how far the sinusoids of unseen positions lie from all seen ones.
void measure_unseen_rows(Show& show);

}  // namespace tfs
