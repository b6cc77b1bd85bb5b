// common/report/terminal.cpp · reports as lines of a terminal
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "common/report/sinks.hpp"
#include "common/tensor/named_axes.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t indent = 2, gap = 2, least_width = 16;

// The lines of a text; an indented one goes on indented where it is wrapped.
Lines lines_of(const std::string& text, std::size_t width) {
    Lines lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = harmless(text.substr(begin, end - begin));
        for (std::string& part : wrap(line, width, std::min(line.find_first_not_of(' '), line.size())))
            lines.push_back(std::move(part));
        begin = end + 1;
    }
    return lines;
}

struct TableLayout {
    std::vector<std::vector<std::string>> cells;  // of each row
    std::vector<std::size_t> widths;
    std::vector<bool> words;  // a column that stands on the left, and may be broken
    bool headings = false, groups = false;
};

std::size_t widest_line(const std::string& text) {
    std::size_t width = 0;
    for (const std::string& line : lines_of(text, screen_columns))
        width = std::max(width, display_width(line));
    return width;
}

bool begins_group(const Table& table, std::size_t column) {
    return column > 0 && table.columns[column].group != table.columns[column - 1].group;
}

// " | " before the first column of a group, and before the first one after a group.
std::string between(const Table& table, std::size_t column) {
    return column == 0                   ? std::string(indent, ' ')
           : begins_group(table, column) ? " | "
                                         : std::string(gap, ' ');
}

std::size_t width_of(const Table& table, const TableLayout& layout) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < layout.widths.size(); ++i)
        width += between(table, i).size() + layout.widths[i];
    return width;
}

// The widest column of words is narrowed until all columns fit.
void fit(const Table& table, TableLayout& layout) {
    while (width_of(table, layout) > screen_columns) {
        std::size_t* widest = nullptr;
        for (std::size_t i = 0; i < layout.widths.size(); ++i)
            if (layout.words[i] && layout.widths[i] > least_width && (!widest || layout.widths[i] > *widest))
                widest = &layout.widths[i];
        if (!widest) return;
        --*widest;
    }
}

TableLayout lay_out(const Table& table) {
    TableLayout layout;
    for (const Column& column : table.columns) {
        layout.widths.push_back(widest_line(heading(column)));
        layout.words.push_back(column.format.notation == Notation::text);
        layout.headings = layout.headings || !heading(column).empty();
        layout.groups = layout.groups || !column.group.empty();
    }
    for (const std::vector<Cell>& row : table.rows) {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < row.size(); ++i) {
            texts.push_back(text_of(row[i], table.columns[i]));
            layout.widths[i] = std::max(layout.widths[i], widest_line(texts.back()));
        }
        layout.cells.push_back(texts);
    }
    fit(table, layout);
    return layout;
}

std::string without_end_spaces(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

void print_row(std::ostream& out, const Table& table, const TableLayout& layout,
               const std::vector<std::string>& texts) {
    std::vector<Lines> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        cells.push_back(lines_of(texts[i], std::max(layout.widths[i], std::size_t{1})));
        height = std::max(height, cells.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i)
            text += between(table, i) +
                    pad(line < cells[i].size() ? truncate(cells[i][line], layout.widths[i]) : "",
                        layout.widths[i], layout.words[i] ? Align::left : Align::right);
        out << without_end_spaces(text) << '\n';
    }
}

// Columns side by side with one heading above theirs.
struct Group {
    std::size_t begin, end, width;
};

std::vector<Group> groups_of(const Table& table, const TableLayout& layout) {
    std::vector<Group> groups;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (i == 0 || begins_group(table, i)) groups.push_back({i, i, 0});
        Group& group = groups.back();
        group.width += (group.begin == i ? 0 : gap) + layout.widths[i];
        group.end = i + 1;
    }
    return groups;
}

// The names of groups. One that is wider than its columns makes the last of them wider.
void print_groups(std::ostream& out, const Table& table, TableLayout& layout) {
    std::string text;
    for (const Group& group : groups_of(table, layout)) {
        const std::string& name = table.columns[group.begin].group;
        const std::size_t width = std::max(group.width, display_width(name));
        layout.widths[group.end - 1] += width - group.width;
        text += between(table, group.begin) + pad(name, width, Align::right);
    }
    out << without_end_spaces(text) << '\n';
}

// Headings stand at the bottom of their line.
void print_headings(std::ostream& out, const Table& table, const TableLayout& layout) {
    std::vector<std::string> texts;
    std::size_t height = 1;
    for (const Column& column : table.columns) {
        texts.push_back(heading(column));
        height = std::max<std::size_t>(
            height, 1 + static_cast<std::size_t>(std::count(texts.back().begin(), texts.back().end(), '\n')));
    }
    for (std::string& text : texts)
        text.insert(0, height - 1 - static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
                    '\n');
    print_row(out, table, layout, texts);
}

// --- traces
//
//     name               shape                                     min     mean      max
//     scores             (batch 1, query 10, key 10)            -1.234    0.012    1.418  q kᵀ / sqrt(16)
//     check  weights: rows sum to 1 (largest deviation 1.2e-07)

// Columns: three numbers of 8 follow the shape; of 110 columns the note gets what is left, or lines of its own below.
constexpr std::size_t name_width = 18;
constexpr std::size_t shape_width = 36;
constexpr std::size_t shape_column = indent + name_width + 1;
constexpr std::size_t note_column = shape_column + shape_width + 3 * 9 + 2;

void print_line(std::ostream& out, const TraceStep& step) {
    const std::string name = truncate(harmless(step.name), name_width), note = harmless(step.note);
    std::string shape = named_shape(step.shape, step.axes),
                line = fmt::format("  {} ", pad(name, name_width));
    if (display_width(shape) > shape_width) {
        out << line << truncate(shape, screen_columns - shape_column) << '\n';
        line = std::string(shape_column, ' ');
        shape.clear();
    }
    line += pad(shape, shape_width);
    for (const double value : {step.minimum, step.mean, step.maximum})
        line += fmt::format(" {:>8}", step.finite > 0 ? trace_number(value) : "-");
    const bool note_fits = display_width(note) <= screen_columns - note_column;
    if (note_fits && !note.empty()) line += "  " + note;
    out << line << '\n';
    if (!note_fits)
        for (const std::string& part : wrap(note, screen_columns - shape_column))
            out << std::string(shape_column, ' ') << part << '\n';
    if (!step.first_bad.empty())
        out << fmt::format("  !!! {}: {} NaN and {} infinite of {} values, the first at {}\n", name, step.nan,
                           step.infinite, step.finite + step.nan + step.infinite, step.first_bad);
}

void print_line(std::ostream& out, const TraceCheck& check) {
    out << fmt::format("  {}  {}\n", check.passed ? "check" : "!!! check FAILED", harmless(check.text));
    if (!check.remark.empty()) out << "         " << check.remark << '\n';
}

// --- items

struct ItemPrinter {
    std::ostream& out;
    Terminal style;
    bool trace_named = false;  // one heading says it for all traces of a report

    void operator()(const Paragraph& paragraph) { print(out, paragraph); }
    void operator()(const Table& table) { print(out, table); }
    void operator()(const Map& map) { print_map(out, map.values, map.text, style); }
    void operator()(const TokenText& text) { print(out, Paragraph{text.text(), true}); }
    void operator()(const Drawing&) {}
    void operator()(const ShapeTrace& trace) {
        for (const auto& line : trace.lines) {
            if (!trace_named && std::holds_alternative<TraceStep>(line)) {
                out << fmt::format("  {} {} {:>8} {:>8} {:>8}\n", pad("name", name_width),
                                   pad("shape", shape_width), "min", "mean", "max");
                trace_named = true;
            }
            std::visit([&](const auto& one) { print_line(out, one); }, line);
        }
    }
};

}  // namespace

std::string trace_number(double value) {
    const double size = std::abs(value);
    if (size >= 1000.0 || (size > 0.0 && size < 1e-3 && size >= 1e-6)) return fmt::format("{:.1e}", value);
    return size < 5e-4 ? "0.000" : fmt::format("{:.3f}", value);
}

void print(std::ostream& out, const Table& table) {
    if (!table.title.empty()) out << "  " << truncate(harmless(table.title), screen_columns - indent) << '\n';
    TableLayout layout = lay_out(table);
    if (layout.groups) print_groups(out, table, layout);
    if (layout.headings) print_headings(out, table, layout);
    for (std::size_t i = 0; i < layout.cells.size(); ++i) {
        if (table.totals > 0 && i + table.totals == layout.cells.size())
            out << "  " << std::string(width_of(table, layout) - indent, '-') << '\n';
        print_row(out, table, layout, layout.cells[i]);
    }
}

void print(std::ostream& out, const Paragraph& paragraph) {
    const std::size_t left = paragraph.quoted ? 2 * indent : indent;
    for (const std::string& line : lines_of(paragraph.text, screen_columns - left))
        out << without_end_spaces(std::string(left, ' ') + line) << '\n';
}

void print(std::ostream& out, const Report& report, Terminal style) {
    ItemPrinter printer{out, style};
    const Item* before = nullptr;
    for (const Item& item : report.items) {
        if (std::holds_alternative<Drawing>(item)) continue;
        // An empty line keeps a table apart from the table or the map before it.
        const bool apart = before && !std::holds_alternative<Paragraph>(*before) &&
                           (std::holds_alternative<Table>(item) || std::holds_alternative<Map>(item));
        if (apart) out << '\n';
        std::visit(printer, item);
        before = &item;
    }
}

void print_heading(std::ostream& out, const std::string& title) {
    const std::string line = truncate(harmless(title), screen_columns);
    out << '\n' << line << '\n' << std::string(display_width(line), '-') << '\n';
}

}  // namespace tfs
