// chapters/00_tensors/program/xtensor_traps.cpp · traps of xtensor, shown live where that is safe
#include <fmt/format.h>

#include "common/base/array.hpp"
#include "common/base/xtensor_math.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

void braces_are_values(Table& table) {
    const Array braces{2, 3};
    const Array shaped = Array::from_shape({2, 3});
    table.add({"Array{2, 3}", fmt::format("shape {}: two values, 2 and 3", to_string(shape_of(braces)))});
    table.add({"from_shape({2, 3})", fmt::format("shape {}", to_string(shape_of(shaped)))});
}

void missing_indices_are_zero(Table& table, const Array& x) {
    table.add({"x(1)", fmt::format("{:g}, which is x(0, 1); row 1 begins at x(1, 0) = {:g}", x(1), x(1, 0))});
}

void auto_keeps_the_expression(Table& table, Array x) {
    const auto lazy = x + 1.0f;    // the sum itself: computed anew at every read
    const Array eager = x + 1.0f;  // the values
    x(0, 0) = 100.0f;
    table.add({"auto lazy = x + 1; x(0, 0) = 100; lazy(0, 0)", fmt::format("{:g}", lazy(0, 0))});
    table.add({"Array eager = x + 1; x(0, 0) = 100; eager(0, 0)", fmt::format("{:g}", eager(0, 0))});
}

void a_view_points_at_the_whole_buffer(Table& table, const Array& x) {
    const auto column = xt::view(x, xt::all(), 1);
    table.add({"auto column = xt::view(x, xt::all(), 1); column(0)", fmt::format("{:g}", column(0))});
    table.add({"column.data()[0]", fmt::format("{:g}: add column.data_offset() = {}, and step by {}",
                                               column.data()[0], column.data_offset(), column.strides()[0])});
}

void reduce_into_a_name_first(Table& table, const Array& x) {
    const Array largest = xt::amax(x, {1}, xt::keep_dims);  // (2, 1)
    const Array shifted = x - largest;                      // (2, 3)
    table.add({"Array largest = xt::amax(x, {1}, xt::keep_dims);", ""});
    table.add({"Array shifted = x - largest; shifted(1, 0)", fmt::format("{:g}", shifted(1, 0))});
    table.add({"x - xt::amax(x, {1}, xt::keep_dims), in one expression", "reads out of bounds: not run"});
}

Report show_traps(const Request&) {
    const Array x = {{0.0f, 1.0f, 2.0f}, {10.0f, 11.0f, 12.0f}};
    Table table{.title = "x = {{0, 1, 2}, {10, 11, 12}}", .columns = {{"code"}, {"result"}}};
    braces_are_values(table);
    missing_indices_are_zero(table, x);
    auto_keeps_the_expression(table, x);
    a_view_points_at_the_whole_buffer(table, x);
    reduce_into_a_name_first(table, x);
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections xtensor_traps_sections() {
    return {{"xtensor-traps", "Traps of xtensor", show_traps, {}, Level::deeper}};
}

}  // namespace tfs
