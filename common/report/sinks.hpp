// common/report/sinks.hpp · where a report goes: a terminal, a page, a JSON document
#pragma once

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "common/report/report.hpp"
#include "common/terminal/terminal.hpp"

namespace tfs {

// --- a terminal, 110 columns wide; control characters are made visible

// Words in a table that don't fit go on below. Figures are not shown. Throws as print_map.
void print(std::ostream& out, const Report& report, Terminal style);

// A table alone.
void print(std::ostream& out, const Table& table);

// A text, wrapped and indented.
void print(std::ostream& out, const Paragraph& paragraph);

// A heading: the text, underlined, after an empty line.
void print_heading(std::ostream& out, const std::string& title);

// Values (query, key) with two decimals and shades: long tokens are cut, and columns that don't fit follow in a further group
// below. Throws ShapeError if values is not 2-D, or labels or `allowed` don't fit it.
void print_map(std::ostream& out, const Array& values, const MapText& text, Terminal style);

// A minimum, mean or maximum, everywhere the same: three decimals, or an exponent where they would show nothing or not fit. Below
// 1e-6 it is taken for rounding noise: "0.000", never "-0.000".
[[nodiscard]] std::string trace_number(double value);

// --- a page of a program's run: what its sections show, and figures beside those of the solutions

struct PageView {
    std::string name;  // what the reader chooses: "layer 1"
    std::string svg;
    std::string file = {};  // its name without an ending
    // The figure of a run on the solutions, `svg` where it is the same; empty: there is none.
    std::string solution = {};
};

struct PageFigure {
    std::string name;             // of its file, by which a link finds it on the page
    std::string caption;          // what to see; empty: none
    std::vector<PageView> views;  // of more than one the page shows one at a time
};

// A piece of HTML, or a figure.
using PagePart = std::variant<std::string, PageFigure>;

struct Page {
    std::string title;                    // "01 attention"
    std::vector<std::string> about = {};  // paragraphs: "./tutorial run 1 · seed 1"
    std::string settings = {};            // what decides what is computed, see has_settings()
    std::vector<PagePart> parts = {};
};

// The text of an HTML file that needs nothing but itself. Readable without JavaScript. With it, pointing at a cell or at the
// label of a row or column lights the row or column in all maps of its figure; a click keeps it, the arrow keys move it,
// Escape ends it. Where a figure differs from the solution's, both stand side by side.
[[nodiscard]] std::string html(const Page& page);

// A figure as it stands on a page.
[[nodiscard]] std::string html(const PageFigure& figure);

// An item. A map becomes a picture; a Drawing is the business of the page and gives nothing.
[[nodiscard]] std::string html(const Item& item);

// All of a report, with its figures.
[[nodiscard]] std::string html(const Report& report);

// Whether this text is the page of a run with these settings.
[[nodiscard]] bool has_settings(const std::string& html, const std::string& settings);

// --- JSON

// The items as a JSON array, as docs/reports.md describes it. Throws as json() of figures.
[[nodiscard]] std::string json(const Report& report);

}  // namespace tfs
