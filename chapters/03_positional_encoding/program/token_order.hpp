// chapters/03_positional_encoding/program/token_order.hpp · what another order of the tokens changes, for each way of telling positions
#pragma once

#include "chapters/03_positional_encoding/program/positioned_attention.hpp"

namespace tfs {

// Compares the output for the reordered x with the output for x in that order. Prints a table.
void measure_orders(Show& show, const PositionedAttention& layer, const Tensor& x);

}  // namespace tfs
