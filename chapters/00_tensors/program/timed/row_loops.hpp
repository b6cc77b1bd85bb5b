// chapters/00_tensors/program/timed/row_loops.hpp · the same work as an expression of xtensor, and as a loop over rows
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/base/xtensor.hpp"

namespace tfs {

// Both write to y, which has the shape of x (rows, n).
struct Twins {
    std::string name;
    std::function<void(const Array&x, Array&y)> expression, loop;
};

// y = x + x · y = x + row, the row being the first of x · y = the rows of x, each with the mean 0 and the variance 1
std::vector<Twins> expressions_and_loops();

}  // namespace tfs
