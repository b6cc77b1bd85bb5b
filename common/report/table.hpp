// common/report/table.hpp · a table as a value: named columns with unit and number format, rows of numbers
//
//     Table table{.columns = {{"d_k", whole()}, {"time", significant(3), "ms"}}};
//     table.add({64, 0.25});
//     const Series curve = series(table, "d_k", "time");
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/figures/figure.hpp"
#include "common/measure.hpp"
#include "common/report/number.hpp"

namespace tfs {

struct Column {
    std::string name;
    NumberFormat format = {};  // of its numbers; without one a column of words, which stand on the left
    std::string unit = {};     // "ms": the heading is "time, ms"
    std::string group = {};    // columns side by side with the same one share a heading above theirs
};

// Nothing, a number, words, or the spread of a measurement.
struct Cell {
    std::variant<std::monostate, double, std::string, Quartiles> value = {};
    std::optional<NumberFormat> format = {};  // in place of its column's

    Cell() = default;
    template <class Number>
    requires std::integral<Number> || std::floating_point<Number> Cell(Number number)
        : value(static_cast<double>(number)) {}
    template <class Number>
    requires std::integral<Number> || std::floating_point<Number> Cell(Number number, NumberFormat own)
        : value(static_cast<double>(number)), format(std::move(own)) {}
    Cell(std::string text) : value(std::move(text)) {}
    Cell(const char* text) : value(std::string(text)) {}
    Cell(const Quartiles& spread) : value(spread) {}
};

struct Table {
    std::string title = {};  // a line above it
    std::vector<Column> columns = {};
    std::vector<std::vector<Cell>> rows = {};
    std::size_t totals = 0;  // so many of the last rows are set apart

    // ValueError if there is not one cell for each column.
    void add(std::vector<Cell> row);
};

// What stands above a column: its name, and its unit behind a comma.
[[nodiscard]] std::string heading(const Column& column);

// What stands in a cell. A spread is the median, "noisy" where it says nothing; in a column of ratios "3.9 x (3.7 to 4.2)".
[[nodiscard]] std::string text_of(const Cell& cell, const Column& column);

// The numbers of two columns as a curve, which is called `name` or else as the second column. A row where one of them has no
// number is left out; of a spread the median counts. ValueError if there is no such column.
[[nodiscard]] Series series(const Table& table, const std::string& x, const std::string& y,
                            const std::string& name = {});

}  // namespace tfs
