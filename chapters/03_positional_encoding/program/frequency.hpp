// chapters/03_positional_encoding/program/frequency.hpp · the frequency of a pair of columns
#pragma once

#include <cmath>
#include <cstddef>

namespace tfs {

// What pair `pair` of `width` columns turns by from one position to the next.
inline double frequency(std::size_t pair, std::size_t width, double theta = 10000.0) {
    return std::pow(theta, -2.0 * static_cast<double>(pair) / static_cast<double>(width));
}

}  // namespace tfs
