// common/report/table.cpp · numbers and cells as text, columns as curves, the rows of a model's table
#include "common/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "common/base/errors.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

// A rounding to zero has no sign.
std::string without_minus_zero(std::string text) {
    const bool zero = text.find_first_not_of("-0.") == std::string::npos;
    return zero && text.starts_with('-') ? text.substr(1) : text;
}

std::string digits_of(double value, const NumberFormat& format) {
    switch (format.notation) {
        case Notation::text:
            return fmt::format("{:g}", value);
        case Notation::ratio:
        case Notation::fixed:
            return without_minus_zero(fmt::format("{:.{}f}", value, format.digits));
        case Notation::scientific:
            return fmt::format("{:.{}e}", value, format.digits);
        case Notation::significant:
            return fmt::format("{:.{}g}", value, format.digits);
        case Notation::thousands:
            return without_minus_zero((value < 0.0 ? "-" : "") +
                                      with_separators(static_cast<std::size_t>(std::round(std::abs(value)))));
        case Notation::flops:
            return in_flops(value);
        case Notation::bytes:
            return in_bytes(value);
        case Notation::magnitude:
            return std::abs(value) < std::pow(10.0, -format.digits)
                       ? fmt::format("below 1e-{}", format.digits)
                       : fmt::format("{:.{}f}", value, format.decimals.value_or(3));
    }
    return {};
}

// A table in a message: "the table of kind, T, time".
std::string said(const Table& table) {
    std::vector<std::string> names;
    for (const Column& column : table.columns) names.push_back(column.name);
    return fmt::format("the table of {}", fmt::join(names, ", "));
}

std::size_t column_named(const Table& table, const std::string& name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].name == name) return i;
    throw ValueError(fmt::format("{}: there is no column \"{}\"", said(table), name));
}

std::optional<double> number_of(const Cell& cell) {
    if (const double* number = std::get_if<double>(&cell.value)) return *number;
    if (const Quartiles* spread = std::get_if<Quartiles>(&cell.value)) return spread->median;
    return std::nullopt;
}

// "blocks.attention.scores" as its three names.
std::vector<std::string> names_of(const std::string& path) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        names.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

std::string indented(const std::string& name, std::size_t depth) {
    return std::string(2 * depth, ' ') + name;
}

std::string shape_text(const PartCost& part) {
    if (part.output.empty() && part.axes.empty()) return "";
    try {
        return named_shape(part.output, part.axes);
    } catch (const ShapeError& error) {
        throw ShapeError(fmt::format("cost of {}: {}", part.part, error.what()));
    }
}

Cell or_dash(std::size_t number) { return number == 0 ? Cell("-") : Cell(number); }

// The names above a part that the part before it doesn't share.
void add_groups(Table& table, const std::vector<std::string>& names, const std::vector<std::string>& before) {
    std::size_t shared = 0;
    while (shared < before.size() && shared + 1 < names.size() && names[shared] == before[shared]) ++shared;
    for (std::size_t depth = shared; depth + 1 < names.size(); ++depth)
        table.add({indented(names[depth], depth), {}, {}, {}, {}, {}});
}

}  // namespace

std::string format(double value, const NumberFormat& format) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
    return digits_of(value, format) + format.suffix;
}

void Table::add(std::vector<Cell> row) {
    if (row.size() != columns.size())
        throw ValueError(
            fmt::format("{}: {} cells in a row of {} columns", said(*this), row.size(), columns.size()));
    rows.push_back(std::move(row));
}

std::string heading(const Column& column) {
    return column.unit.empty() ? column.name : column.name + ", " + column.unit;
}

std::string text_of(const Cell& cell, const Column& column) {
    const NumberFormat& how = cell.format ? *cell.format : column.format;
    if (const double* number = std::get_if<double>(&cell.value)) return format(*number, how);
    if (const std::string* text = std::get_if<std::string>(&cell.value)) return *text;
    if (const Quartiles* spread = std::get_if<Quartiles>(&cell.value))
        return how.notation == Notation::ratio ? ratio_text(*spread) : median_text(*spread);
    return {};
}

Series series(const Table& table, const std::string& x, const std::string& y, const std::string& name) {
    const std::size_t x_column = column_named(table, x), y_column = column_named(table, y);
    Series curve{name.empty() ? y : name};
    for (const std::vector<Cell>& row : table.rows) {
        const std::optional<double> at = number_of(row[x_column]), value = number_of(row[y_column]);
        if (at && value) curve.add(*at, *value);
    }
    return curve;
}

Table cost_table(const std::vector<PartCost>& parts) {
    if (parts.empty()) throw ValueError("costs: the model has no part");
    Table table{
        .columns = {
            {"part"}, {""}, {"output"}, {"parameters", thousands()}, {"FLOPs", flops()}, {"bytes", bytes()}}};
    std::vector<std::string> before;
    for (const PartCost& part : parts) {
        const std::vector<std::string> names = names_of(part.part);
        add_groups(table, names, before);
        table.add({indented(names.back(), names.size() - 1),
                   part.repeated == 1 ? "" : fmt::format("x {}", part.repeated), shape_text(part),
                   or_dash(part.parameters), or_dash(part.flops), or_dash(part.bytes)});
        if (!part.note.empty()) table.add({{}, {}, part.note, {}, {}, {}});
        before = names;
    }
    const TotalCost sum = total(parts);
    table.add({"total", {}, {}, or_dash(sum.parameters), or_dash(sum.flops), or_dash(sum.bytes)});
    table.totals = 1;
    return table;
}

std::string size_of_weights(const std::vector<PartCost>& parts) {
    return "the weights as float32: " + in_bytes(4.0 * static_cast<double>(total(parts).parameters));
}

}  // namespace tfs
