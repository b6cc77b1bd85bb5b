// chapters/01_attention/program/attention_cost.hpp · what attention costs against the length of the sequence, measured
#pragma once

#include "common/program.hpp"

namespace tfs {

// Time and memory of attention against the length T, and how many times as long twice the length takes. Prints a table.
LineFigure measure_cost(Show& show);

}  // namespace tfs
