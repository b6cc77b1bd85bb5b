// chapters/06_residual_dropout/program/moments.hpp · mean, deviation, smallest and largest of some values
#pragma once

#include <span>

namespace tfs {

struct Moments {
    double mean = 0.0, deviation = 0.0, smallest = 0.0, largest = 0.0;
};
Moments moments(std::span<const float> values);

}  // namespace tfs
