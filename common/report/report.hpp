// common/report/report.hpp · what a section shows, as a value: paragraphs, tables, traces, maps, figures
//
// Whoever asks for a report chooses where it goes: to a terminal, to a page, into a JSON document (sinks.hpp).
//
//     Report report;
//     report.step("x", x, {"batch", "seq", "d_model"}, "a vector for each word");
//     report.note("Twice the length takes four times as long.");
//     report.add(table);
//     report.add(figure);
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "common/figures/figure.hpp"
#include "common/report/map.hpp"
#include "common/report/table.hpp"
#include "common/report/token_text.hpp"
#include "common/report/trace.hpp"

namespace tfs {

struct Paragraph {
    std::string text;     // a line's end in it begins a new line
    bool quoted = false;  // a text that something wrote: set apart, its lines as they are
};

// A map with numbers, for a terminal.
struct Map {
    Array values;  // (rows, columns)
    MapText text = {};
};

// A figure, or several views of one: the page shows one at a time, with the name and the caption of the first.
struct Drawing {
    std::vector<View> views = {};
};

using Item = std::variant<Paragraph, Table, ShapeTrace, Map, Drawing, TokenText>;

struct Report {
    std::vector<Item> items = {};

    void note(std::string text);
    void quote(std::string text);
    void add(Table table);
    void add(Map map);
    void add(TokenText text);
    void add(Figure figure);
    void add(std::vector<View> views);
    // What another report shows follows here.
    void add(Report more);

    // Lines of a trace: those that follow each other are one.
    void step(std::string name, const Tensor& x, std::vector<std::string> axes, std::string note = {});
    // Returns whether the check passed.
    bool check_rows_sum_to_one(const std::string& name, const Tensor& weights);
    void masked_cells(const std::string& name, const Mask& mask, const Shape& shape);

  private:
    ShapeTrace& trace();
};

}  // namespace tfs
