// chapters/00_tensors/program/xtensor_traps.cpp · traps of xtensor, shown live where that is safe
#include "chapters/00_tensors/program/sections.hpp"

#include <fmt/ostream.h>

#include <ostream>

#include "common/base/shape.hpp"
#include "common/base/xtensor_math.hpp"

namespace tfs {

namespace {

void braces_are_values(std::ostream& out) {
    const Array braces{2, 3};
    const Array shaped = Array::from_shape({2, 3});
    fmt::print(out, "  Array{{2, 3}}             shape {}: two values, 2 and 3\n",
               to_string(shape_of(braces)));
    fmt::print(out, "  from_shape({{2, 3}})      shape {}\n\n", to_string(shape_of(shaped)));
}

void missing_indices_are_zero(std::ostream& out, const Array& x) {
    fmt::print(out, "  x = {{{{0, 1, 2}}, {{10, 11, 12}}}}\n");
    fmt::print(out, "  x(1) = {:g}, which is x(0, 1); row 1 begins at x(1, 0) = {:g}\n\n", x(1), x(1, 0));
}

void auto_keeps_the_expression(std::ostream& out, Array x) {
    const auto lazy = x + 1.0f;    // the sum itself: computed anew at every read
    const Array eager = x + 1.0f;  // the values
    x(0, 0) = 100.0f;
    fmt::print(out, "  auto lazy = x + 1; Array eager = x + 1; x(0, 0) = 100;\n");
    fmt::print(out, "  lazy(0, 0) = {:g}, eager(0, 0) = {:g}\n\n", lazy(0, 0), eager(0, 0));
}

void a_view_points_at_the_whole_buffer(std::ostream& out, const Array& x) {
    const auto column = xt::view(x, xt::all(), 1);
    fmt::print(out, "  auto column = xt::view(x, xt::all(), 1);\n");
    fmt::print(
        out,
        "  column(0) = {:g}, but column.data()[0] = {:g}: add column.data_offset() = {}, and step by {}\n\n",
        column(0), column.data()[0], column.data_offset(), column.strides()[0]);
}

void reduce_into_a_name_first(std::ostream& out, const Array& x) {
    const Array largest = xt::amax(x, {1}, xt::keep_dims);  // (2, 1)
    const Array shifted = x - largest;                      // (2, 3)
    fmt::print(out, "  Array largest = xt::amax(x, {{1}}, xt::keep_dims); Array shifted = x - largest;\n");
    fmt::print(out,
               "  shifted(1, 0) = {:g}. Written in one expression, x - xt::amax(...) reads out of bounds: "
               "not run.\n",
               shifted(1, 0));
}

}  // namespace

void show_xtensor_traps(std::ostream& out) {
    const Array x = {{0.0f, 1.0f, 2.0f}, {10.0f, 11.0f, 12.0f}};
    braces_are_values(out);
    missing_indices_are_zero(out, x);
    auto_keeps_the_expression(out, x);
    a_view_points_at_the_whole_buffer(out, x);
    reduce_into_a_name_first(out, x);
}

}  // namespace tfs
