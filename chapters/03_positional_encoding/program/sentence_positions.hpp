// chapters/03_positional_encoding/program/sentence_positions.hpp · the sentence with positions: added to x, turning queries and keys, in the scores
#pragma once

#include "chapters/03_positional_encoding/program/positioned_attention.hpp"

namespace tfs {

// Sinusoids and learned rows: two ways add a row to x.
void show_added(Show& show, const PositionedAttention& layer, const Tensor& x);

// Rotary positions turn queries and keys.
void show_turned(Show& show, const PositionedAttention& layer, const Tensor& x);

// ALiBi adds a bias to the scores. Prints the map of the first head under a causal mask.
void show_bias(Show& show, const PositionedAttention& layer, const Tensor& x);

}  // namespace tfs
