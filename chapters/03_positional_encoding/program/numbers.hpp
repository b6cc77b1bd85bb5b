// chapters/03_positional_encoding/program/numbers.hpp · what the claims share: the frequency of a pair, small numbers in words
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tfs {

// What pair `pair` of `width` columns turns by from one position to the next.
inline double frequency(std::size_t pair, std::size_t width, double theta = 10000.0) {
    return std::pow(theta, -2.0 * static_cast<double>(pair) / static_cast<double>(width));
}

// Three decimals, or "< 1e-5" for 5 digits: what is below is rounding, which differs between processors.
inline std::string small_or(double value, int digits) {
    return value < std::pow(10.0, -digits) ? fmt::format("< 1e-{}", digits) : fmt::format("{:.3f}", value);
}

}  // namespace tfs
