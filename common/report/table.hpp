// common/report/table.hpp · a table as a value: named columns with unit and number format, rows of numbers
//
//     Table table{.columns = {{"d_k", whole()}, {"time", significant(3), "ms"}}};
//     table.add({64, 0.25});
//     const Series curve = series(table, "d_k", "time");
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/figures/figure.hpp"
#include "common/measure.hpp"
#include "common/nn/cost.hpp"
#include "common/text/units.hpp"

namespace tfs {

// --- how a number is written: digits, thousands, units, the spread of a measurement

enum class Notation {
    text,         // no number: a column of words
    fixed,        // 0.50 with two digits, 12 with none
    scientific,   // 1.2e-07 with one digit
    significant,  // 0.001234 with four digits, 1.2e-07 with two, as printf's %g
    thousands,    // 109,482,240
    flops,        // 1.23 G
    bytes,        // 4.56 MiB
    ratio,        // of a spread: 3.9 x (3.7 to 4.2)
    magnitude,    // "below 1e-5" with five digits where it is smaller, else as fixed with three
};

// A number and how it is written: format(0.5, fixed(2)) is "0.50". An infinity is written "inf", what is no number "NaN".
struct NumberFormat {
    Notation notation = Notation::text;
    int digits = 0;
    std::string suffix = {};           // behind each number of the column: " %", " x"
    std::optional<int> decimals = {};  // of magnitude: in place of three
};

[[nodiscard]] inline NumberFormat fixed(int digits, std::string suffix = {}) {
    return {Notation::fixed, digits, std::move(suffix)};
}
[[nodiscard]] inline NumberFormat whole(std::string suffix = {}) { return fixed(0, std::move(suffix)); }
[[nodiscard]] inline NumberFormat scientific(int digits) { return {Notation::scientific, digits}; }
[[nodiscard]] inline NumberFormat significant(int digits) { return {Notation::significant, digits}; }
[[nodiscard]] inline NumberFormat thousands() { return {Notation::thousands}; }
[[nodiscard]] inline NumberFormat flops() { return {Notation::flops}; }
[[nodiscard]] inline NumberFormat bytes() { return {Notation::bytes}; }
[[nodiscard]] inline NumberFormat ratios() { return {Notation::ratio, 2, " x"}; }
// What is smaller than 1e-`power` is rounding, which differs between processors.
[[nodiscard]] inline NumberFormat magnitude(int power = 5, int decimals = 3) {
    return {Notation::magnitude, power, {}, decimals};
}

[[nodiscard]] std::string format(double value, const NumberFormat& format);

// --- tables

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
    requires std::integral<Number> || std::floating_point<Number> Cell(Number number,
                                                                       std::optional<NumberFormat> own = {})
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

// --- the table of a whole model: what each part computes, holds and costs
//
//     part               output                                parameters      FLOPs        bytes
//     blocks
//       attention
//         w_o      x 12  (batch 1, seq 10, d_model 64)              4,160    81.92 k     2.50 KiB
//     logits             (batch 1, seq 10, vocab 30522)                 -    39.07 M     1.16 MiB
//                        tied: the table of the tokens
//     -------------------------------------------------------------------------------------------
//     total                                                        49,920    40.05 M     1.19 MiB

// A part's name is its path: "blocks.attention.w_o" stands, indented, below "blocks" and "attention", which need no line
// of their own. The line shows one of the parts that are repeated; the total counts all. A count of 0 is a dash. A note follows
// below its part. Throws ValueError if there is no part, ShapeError if a part has not one name for each axis.
[[nodiscard]] Table cost_table(const std::vector<PartCost>& parts);

// "the weights as float32: 7.64 MiB"
[[nodiscard]] std::string size_of_weights(const std::vector<PartCost>& parts);

}  // namespace tfs
