// common/show/trace.cpp · the lines of a trace
#include "common/show/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

#include "common/show/named_shape.hpp"
#include "common/terminal/display.hpp"

namespace tfs {
namespace {

// Columns: name 18, shape 36, three numbers of 8; of 110 columns the note gets what is left, or lines of its
// own below.
constexpr std::size_t name_width = 18;
constexpr std::size_t shape_width = 36;
constexpr std::size_t shape_column = 2 + name_width + 1;
constexpr std::size_t note_column = shape_column + shape_width + 3 * 9 + 2;

struct Statistics {
    double minimum = 0.0, mean = 0.0, maximum = 0.0;  // of the finite values
    std::size_t finite = 0, nan = 0, infinite = 0;
    std::optional<std::size_t> first_bad;
};

Statistics statistics_of(std::span<const float> values) {
    Statistics result;
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        if (!std::isfinite(value)) {
            ++(std::isnan(value) ? result.nan : result.infinite);
            if (!result.first_bad) result.first_bad = i;
            continue;
        }
        result.minimum = result.finite == 0 ? value : std::min(result.minimum, value);
        result.maximum = result.finite == 0 ? value : std::max(result.maximum, value);
        sum += value;
        ++result.finite;
    }
    if (result.finite > 0) result.mean = sum / static_cast<double>(result.finite);
    return result;
}

// Three decimals, or an exponent where they would show nothing or not fit. Below 1e-6 it is taken for rounding
// noise: "0.000", never "-0.000".
std::string trace_number(double value) {
    const double size = std::abs(value);
    if (size >= 1000.0 || (size > 0.0 && size < 1e-3 && size >= 1e-6)) return fmt::format("{:.1e}", value);
    return size < 5e-4 ? "0.000" : fmt::format("{:.3f}", value);
}

// "batch 0, query 3, key 7"
std::string named_index(std::size_t offset, const Shape& shape, const std::vector<std::string>& axes) {
    std::string text;
    for (std::size_t i = shape.size(); i-- > 0;) {
        const std::string part = fmt::format("{} {}", axes[i], offset % shape[i]);
        text = text.empty() ? part : part + ", " + text;
        offset /= shape[i];
    }
    return text.empty() ? "the only element" : text;
}

// What there is to say about a row of weights.
struct RowSums {
    std::size_t empty = 0;
    std::optional<std::size_t> first_empty, first_bad;
    double largest_deviation = 0.0, bad_sum = 0.0;
};

RowSums sum_rows(std::span<const float> values, std::size_t width) {
    RowSums result;
    for (std::size_t begin = 0; width > 0 && begin < values.size(); begin += width) {
        const auto row = values.subspan(begin, width);
        if (std::all_of(row.begin(), row.end(), [](float value) { return value == 0.0f; })) {
            ++result.empty;
            if (!result.first_empty) result.first_empty = begin / width;
            continue;
        }
        double sum = 0.0;
        for (const float value : row) sum += value;
        const double deviation = std::abs(sum - 1.0);
        // Float rounding grows with the row; NaN must fail too, hence the negation.
        if (!(deviation <= 1e-6 * static_cast<double>(10 + width)) && !result.first_bad) {
            result.first_bad = begin / width;
            result.bad_sum = sum;
        }
        result.largest_deviation = std::max(result.largest_deviation, deviation);
    }
    return result;
}

std::string row_index(std::size_t row, const Shape& shape) {
    std::string text;
    for (std::size_t i = shape.size() - 1; i-- > 0;) {
        text = fmt::format("{}{}{}", row % shape[i], text.empty() ? "" : ", ", text);
        row /= shape[i];
    }
    return "(" + text + ")";
}

// One line of the table. A shape or a note that is too long gets lines of its own; the numbers stay in their columns.
void print_line(std::ostream& out, std::string_view name, std::string shape, const Statistics& statistics,
                std::string_view note) {
    std::string line = fmt::format("  {} ", pad(truncate(harmless(name), name_width), name_width));
    if (display_width(shape) > shape_width) {
        out << line << truncate(shape, screen_columns - shape_column) << '\n';
        line = std::string(shape_column, ' ');
        shape.clear();
    }
    line += pad(shape, shape_width);
    const bool any = statistics.finite > 0;
    for (const double value : {statistics.minimum, statistics.mean, statistics.maximum})
        line += fmt::format(" {:>8}", any ? trace_number(value) : "-");
    const bool note_fits = display_width(note) <= screen_columns - note_column;
    if (note_fits && !note.empty()) line += fmt::format("  {}", note);
    out << line << '\n';
    if (note_fits) return;
    for (const std::string& part : wrap(note, screen_columns - shape_column))
        out << std::string(shape_column, ' ') << part << '\n';
}

}  // namespace

void Trace::heading(std::string_view text) {
    const std::string line = truncate(harmless(text), screen_columns);
    *out_ << '\n' << line << '\n' << std::string(display_width(line), '-') << '\n';
    column_names_due_ = true;
}

void Trace::section(std::string_view title, const std::function<void()>& body) {
    heading(title);
    try {
        body();
    } catch (const NotImplemented& gap) {
        note(std::string(gap.what()) + "; this section ends here");
    }
}

void Trace::step(std::string_view name, const Tensor& x, const std::vector<std::string>& axes,
                 std::string_view note) {
    if (axes.size() != x.rank()) {
        throw ShapeError(fmt::format("trace of {}: {} names of axes for the shape {}", name, axes.size(),
                                     to_string(x.shape())));
    }
    if (column_names_due_) {
        *out_ << fmt::format("  {} {} {:>8} {:>8} {:>8}\n", pad("name", name_width),
                             pad("shape", shape_width), "min", "mean", "max");
        column_names_due_ = false;
    }
    const Statistics statistics = statistics_of(x.values());
    print_line(*out_, name, named_shape(x.shape(), axes), statistics, harmless(note));
    if (statistics.first_bad) {
        *out_ << fmt::format("  !!! {}: {} NaN and {} infinite of {} values, the first at {}\n",
                             truncate(harmless(name), name_width), statistics.nan, statistics.infinite,
                             x.size(), named_index(*statistics.first_bad, x.shape(), axes));
    }
}

bool Trace::check_rows_sum_to_one(std::string_view name, const Tensor& weights) {
    if (weights.rank() == 0) throw ShapeError(fmt::format("check of {}: a scalar has no rows", name));
    const Shape shape = weights.shape();
    const RowSums rows = sum_rows(weights.values(), shape.back());
    if (rows.first_bad) {
        *out_ << fmt::format("  !!! check FAILED  {}: row {} sums to {:.6g}, not to 1\n", harmless(name),
                             row_index(*rows.first_bad, shape), rows.bad_sum);
    } else {
        *out_ << fmt::format("  check  {}: rows sum to 1 (largest deviation {:.1e})\n", harmless(name),
                             rows.largest_deviation);
    }
    if (rows.empty > 0) {
        *out_ << fmt::format("         {} {} all zero, nothing allowed there (the first: {})\n", rows.empty,
                             rows.empty == 1 ? "row is" : "rows are", row_index(*rows.first_empty, shape));
    }
    return !rows.first_bad;
}

void Trace::masked_cells(std::string_view name, const Mask& mask, const Shape& shape) {
    const xt::xarray<bool> allowed = mask.expanded(shape);
    const auto open =
        static_cast<std::size_t>(std::count(allowed.data(), allowed.data() + allowed.size(), true));
    *out_ << fmt::format("  check  {}: {} of {} cells masked\n", harmless(name), allowed.size() - open,
                         allowed.size());
}

void Trace::note(std::string_view text) {
    for (const std::string& line : wrap(harmless(text), screen_columns - 2)) *out_ << "  " << line << '\n';
}

}  // namespace tfs
