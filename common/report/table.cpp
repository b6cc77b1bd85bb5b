// common/report/table.cpp · cells as text, columns as curves
#include "common/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

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

}  // namespace

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

}  // namespace tfs
