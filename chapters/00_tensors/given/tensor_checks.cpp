// chapters/00_tensors/given/tensor_checks.cpp · the shape checks of chapter 00, given
#include "chapters/00_tensors/given/tensor_checks.hpp"

#include <fmt/format.h>

namespace tfs {

void require_bias(const Array& x, const Array& bias) {
    if (x.dimension() > 0 && bias.dimension() == 1 && x.shape().back() == bias.size()) return;
    std::string hint;
    if (bias.dimension() == 1 && x.dimension() == 2 && x.shape(0) == bias.size()) hint = "; is x transposed?";
    throw ShapeError(
        fmt::format("add_bias: x {} and bias {}: the bias needs one axis, as long as the last axis of x{}",
                    to_string(shape_of(x)), to_string(shape_of(bias)), hint));
}

void require_product(std::string_view operation, const Array& a, const Array& b) {
    const std::string shapes =
        fmt::format("{}: {} x {}", operation, to_string(shape_of(a)), to_string(shape_of(b)));
    if (a.dimension() != 3 || b.dimension() != 3) {
        throw ShapeError(shapes + ": both need three axes, (batch, rows, columns); is a batch of 1 missing?");
    }
    if (a.shape(0) != b.shape(0)) {
        throw ShapeError(fmt::format("{}: a batch of {} meets a batch of {}; each needs its own partner",
                                     shapes, a.shape(0), b.shape(0)));
    }
    if (a.shape(2) != b.shape(1)) {
        throw ShapeError(fmt::format("{}: {} columns meet {} rows{}", shapes, a.shape(2), b.shape(1),
                                     a.shape(2) == b.shape(2) ? "; is b transposed?" : ""));
    }
}

void require_rows(const Array& x) {
    if (x.dimension() > 0 && x.shape().back() > 0) return;
    throw ShapeError(fmt::format("row_statistics: x {} has {}, so there is no mean", to_string(shape_of(x)),
                                 x.dimension() == 0 ? "no axis" : "rows of no entries"));
}

}  // namespace tfs
