// common/nn/gradient_length.hpp · what the length of a gradient needs: its squares, and a factor for all of it
#pragma once

#include "common/base/xtensor.hpp"

namespace tfs {

// The sum of the squares of all entries, in double. It does not depend on the number of threads.
[[nodiscard]] double sum_of_squares(const Array& gradient);

// gradient = factor * gradient
void scale_by(Array& gradient, float factor);

}  // namespace tfs
