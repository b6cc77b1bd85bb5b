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

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/figures/figure.hpp"
#include "common/report/table.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

struct Paragraph {
    std::string text;     // a line's end in it begins a new line
    bool quoted = false;  // a text that something wrote: set apart, its lines as they are
};

// --- a trace: one line for each step of a computation, with its named axes

// A tensor on its way: minimum, mean and maximum are of the finite values.
struct TraceStep {
    std::string name;
    Shape shape = {};
    std::vector<std::string> axes = {};  // their names
    double minimum = 0.0, mean = 0.0, maximum = 0.0;
    std::size_t finite = 0, nan = 0, infinite = 0;
    std::string first_bad = {};  // where the first NaN or infinity is: "batch 0, query 3, key 7"
    std::string note = {};
};

// What was checked, and whether it holds.
struct TraceCheck {
    std::string text;  // "weights: rows sum to 1 (largest deviation 1.2e-07)"
    bool passed = true;
    std::string remark = {};  // "1 row is all zero, nothing allowed there (the first: (0, 2))"
};

struct ShapeTrace {
    std::vector<std::variant<TraceStep, TraceCheck>> lines = {};
};

// --- a map with numbers, for a terminal; behind each row its sum, and its entropy -sum p ln p in nats

struct MapText {
    std::string title = {};
    std::vector<std::string> rows = {}, columns = {};  // the tokens: queries and keys; empty = numbers
    // (query, key), false = masked; drawn as masked, never as 0.00.
    std::optional<xt::xarray<bool>> allowed = {};
    std::string row_axis = "query", column_axis = "key";
};

struct Map {
    Array values;  // (rows, columns)
    MapText text = {};
};

// A figure, or several views of one: the page shows one at a time, with the name and the caption of the first.
struct Drawing {
    std::vector<View> views = {};
};

// --- a text that a model wrote, token by token

// A token with a number: how likely it was, or how much weight it got.
struct RatedToken {
    std::string text;
    double share = 0.0;    // 0 … 1
    std::size_t back = 0;  // of one that was looked at: so many tokens before the new one; 1 is the last
};

struct WrittenToken {
    std::string text;
    double probability = 1.0;  // with which it was drawn
    // The likeliest tokens at its place, as the model has them, before any filter; earlier tokens with the largest weights.
    std::vector<RatedToken> alternatives = {}, looked_at = {};
    // The time of the pass that wrote it, and of a pass over the whole text; 0 where it was not measured.
    double seconds = 0.0, seconds_without_cache = 0.0;
};

struct TokenText {
    std::string prompt;
    std::vector<WrittenToken> tokens = {};

    // The prompt and all tokens.
    [[nodiscard]] std::string text() const;
};

// --- the report

using Item = std::variant<Paragraph, Table, ShapeTrace, Map, Drawing, TokenText>;

struct Report {
    std::vector<Item> items = {};

    // Not copied. Defined in report.cpp: to move or destroy items is code for each of their kinds, in each file with a report.
    Report();
    explicit Report(Table table);
    explicit Report(Paragraph paragraph);
    Report(Report&& other) noexcept;
    Report& operator=(Report&& other) noexcept;
    ~Report();

    void note(std::string text);
    void quote(std::string text);
    void add(Table table);
    void add(Map map);
    void add(TokenText text);
    void add(Figure figure);
    void add(std::vector<View> views);
    // What another report shows follows here.
    void add(Report more);

    // Lines of a trace: those that follow each other are one. A step's ShapeError: axes.size() is not the rank.
    void step(std::string name, const Tensor& x, std::vector<std::string> axes, std::string note = {});
    // Whether the rows (along the last axis) sum to 1; returns it, too. A row of all zeros belongs to a query that may attend to
    // nothing: counted apart and named. Throws ShapeError for a scalar.
    bool check_rows_sum_to_one(const std::string& name, const Tensor& weights);

  private:
    ShapeTrace& trace();
};

}  // namespace tfs
