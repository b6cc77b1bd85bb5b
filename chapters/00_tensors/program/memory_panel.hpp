// chapters/00_tensors/program/memory_panel.hpp · the cells of an array, and the floats that they read
#pragma once

#include <functional>
#include <string>

#include "chapters/00_tensors/given/view_of.hpp"
#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// A buffer in which each float holds its own place.
Array places(std::size_t floats);
// The float that each cell of a view of that buffer reads.
Array reads(const Strided& view, std::size_t floats);

// The cells of a view with two axes, the `floats` floats of its buffer below them, and an arrow from each marked cell to its float.
// The marked cells are one row or one column.
PlanePanel memory_panel(const std::string& title, const Strided& view, std::size_t floats,
                        const std::function<bool(std::size_t row, std::size_t column)>& marked);

}  // namespace tfs
