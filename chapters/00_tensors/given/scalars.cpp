// chapters/00_tensors/given/scalars.cpp · operations on single numbers, each with its slopes, given
#include "chapters/00_tensors/scalars.hpp"

#include <cmath>

namespace tfs {

Scalar& Scalars::number(double value) { return all_.emplace_back(Scalar{value}); }

Scalar& Scalars::sum(Scalar& a, Scalar& b) {
    return all_.emplace_back(Scalar{a.value + b.value, 0.0, {&a, &b}, {1.0, 1.0}});
}

Scalar& Scalars::difference(Scalar& a, Scalar& b) {
    return all_.emplace_back(Scalar{a.value - b.value, 0.0, {&a, &b}, {1.0, -1.0}});
}

Scalar& Scalars::product(Scalar& a, Scalar& b) {
    return all_.emplace_back(Scalar{a.value * b.value, 0.0, {&a, &b}, {b.value, a.value}});
}

Scalar& Scalars::tanh(Scalar& a) {
    const double value = std::tanh(a.value);
    return all_.emplace_back(Scalar{value, 0.0, {&a}, {1.0 - value * value}});
}

}  // namespace tfs
