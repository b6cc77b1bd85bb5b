// bench/copy.hpp · a plain copy: the least that anything can do that reads an array and writes one of its size
#pragma once

#include <string>

#include "bench/table.hpp"
#include "common/tensor.hpp"

namespace tfs::bench {

// Adds the line "copy of 4 x 256 x 768": every row of x by std::memcpy to a new array, in parallel over rows. Where that line is
// there already, it is not added again. Returns its name.
std::string add_copy_line(Table& table, const Tensor& x);

// The bytes of x, read once, and of a result of its size, written once.
double bytes_read_and_written(const Tensor& x);

}  // namespace tfs::bench
