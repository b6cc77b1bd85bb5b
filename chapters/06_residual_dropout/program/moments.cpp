// chapters/06_residual_dropout/program/moments.cpp · mean, deviation, smallest and largest of some values
#include "chapters/06_residual_dropout/program/moments.hpp"

#include <algorithm>
#include <cmath>

namespace tfs {

Moments moments(std::span<const float> values) {
    const double n = static_cast<double>(values.size());
    double total = 0.0, squares = 0.0;
    for (const float value : values) total += static_cast<double>(value) / n;
    for (const float value : values) squares += std::pow(static_cast<double>(value) - total, 2.0) / n;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {total, std::sqrt(squares), *low, *high};
}

}  // namespace tfs
