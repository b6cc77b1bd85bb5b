// chapters/00_tensors/program/memory_panel.hpp · the cells of an array, and the floats that they read
#pragma once

#include <functional>
#include <string>

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// The cells, `floats` floats of memory below them, and an arrow from each marked cell to its float. `reads` is a matrix: the float of
// each cell. The marked cells are one row or one column.
PlanePanel memory_panel(const std::string& title, const Array& reads, std::size_t floats,
                        const std::function<bool(std::size_t row, std::size_t column)>& marked);

}  // namespace tfs
