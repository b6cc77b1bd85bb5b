// chapters/02_masks/program/empty_rows.hpp · what a query gets that may attend to nothing
#pragma once

#include "common/program.hpp"

namespace tfs {

// The weights of such a query where "forbidden" is -infinity, -1e9 or -1e4: PyTorch's formula, rounded to float32 or to
// half precision after every step.
void measure_empty_rows(Show& show);

}  // namespace tfs
