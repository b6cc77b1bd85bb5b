// chapters/03_positional_encoding/program/attention_spread.hpp · how untrained attention spreads over more and more keys
#pragma once

#include "common/program.hpp"

namespace tfs {

// Entropy, and the weight on the last 64 keys, without positions, with rotary ones and with ALiBi. Prints a table.
void measure_spread(Show& show);

}  // namespace tfs
