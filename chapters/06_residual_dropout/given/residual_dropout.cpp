// chapters/06_residual_dropout/given/dropout_checks.cpp · the checks of chapter 06, given
#include "chapters/06_residual_dropout/given/dropout_checks.hpp"

#include <fmt/format.h>

namespace tfs {

void require_rate(std::string_view operation, double p) {
    if (p >= 0.0 && p < 1.0) return;
    throw ValueError(
        fmt::format("{}: p = {} is not in [0, 1); p is the probability to drop an entry, and what is kept is "
                    "divided by 1 - p",
                    operation, p));
}

void require_same_shape(std::string_view operation, const Tensor& x, const Tensor& from_sublayer) {
    if (from_sublayer.shape() == x.shape()) return;
    throw ShapeError(
        fmt::format("{}: the sublayer turned {} into {}; what is added to x must have the shape of x",
                    operation, to_string(x.shape()), to_string(from_sublayer.shape())));
}

}  // namespace tfs
