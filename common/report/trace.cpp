// common/report/trace.cpp · what a trace says of a tensor, and its lines
#include "common/report/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "common/tensor/named_axes.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

// Columns: name 18, shape 36, three numbers of 8; of 110 columns the note gets what is left, or lines of its
// own below.
constexpr std::size_t name_width = 18;
constexpr std::size_t shape_width = 36;
constexpr std::size_t shape_column = 2 + name_width + 1;
constexpr std::size_t note_column = shape_column + shape_width + 3 * 9 + 2;

// Fills in the statistics of `step`. Returns the index of the first value that is not finite.
std::optional<std::size_t> measure(TraceStep& step, std::span<const float> values) {
    std::optional<std::size_t> first_bad;
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        if (!std::isfinite(value)) {
            ++(std::isnan(value) ? step.nan : step.infinite);
            if (!first_bad) first_bad = i;
            continue;
        }
        step.minimum = step.finite == 0 ? value : std::min(step.minimum, value);
        step.maximum = step.finite == 0 ? value : std::max(step.maximum, value);
        sum += value;
        ++step.finite;
    }
    if (step.finite > 0) step.mean = sum / static_cast<double>(step.finite);
    return first_bad;
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

}  // namespace

std::string trace_number(double value) {
    const double size = std::abs(value);
    if (size >= 1000.0 || (size > 0.0 && size < 1e-3 && size >= 1e-6)) return fmt::format("{:.1e}", value);
    return size < 5e-4 ? "0.000" : fmt::format("{:.3f}", value);
}

TraceStep trace_step(std::string name, const Tensor& x, std::vector<std::string> axes, std::string note) {
    if (axes.size() != x.rank()) {
        throw ShapeError(fmt::format("trace of {}: {} names of axes for the shape {}", name, axes.size(),
                                     to_string(x.shape())));
    }
    TraceStep step{
        .name = std::move(name), .shape = x.shape(), .axes = std::move(axes), .note = std::move(note)};
    if (const auto first_bad = measure(step, x.values()))
        step.first_bad = named_index(*first_bad, step.shape, step.axes);
    return step;
}

TraceCheck rows_sum_to_one(const std::string& name, const Tensor& weights) {
    if (weights.rank() == 0) throw ShapeError(fmt::format("check of {}: a scalar has no rows", name));
    const Shape shape = weights.shape();
    const RowSums rows = sum_rows(weights.values(), shape.back());
    TraceCheck check{
        fmt::format("{}: rows sum to 1 (largest deviation {:.1e})", name, rows.largest_deviation)};
    if (rows.first_bad)
        check = {fmt::format("{}: row {} sums to {:.6g}, not to 1", name, row_index(*rows.first_bad, shape),
                             rows.bad_sum),
                 false};
    if (rows.empty > 0)
        check.remark =
            fmt::format("{} {} all zero, nothing allowed there (the first: {})", rows.empty,
                        rows.empty == 1 ? "row is" : "rows are", row_index(*rows.first_empty, shape));
    return check;
}

TraceCheck masked_cells(const std::string& name, const Mask& mask, const Shape& shape) {
    const xt::xarray<bool> allowed = mask.expanded(shape);
    const auto open =
        static_cast<std::size_t>(std::count(allowed.data(), allowed.data() + allowed.size(), true));
    return {fmt::format("{}: {} of {} cells masked", name, allowed.size() - open, allowed.size())};
}

void print_trace_heading(std::ostream& out) {
    out << fmt::format("  {} {} {:>8} {:>8} {:>8}\n", pad("name", name_width), pad("shape", shape_width),
                       "min", "mean", "max");
}

void print(std::ostream& out, const TraceStep& step) {
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
    if (!note_fits) {
        for (const std::string& part : wrap(note, screen_columns - shape_column))
            out << std::string(shape_column, ' ') << part << '\n';
    }
    if (!step.first_bad.empty()) {
        out << fmt::format("  !!! {}: {} NaN and {} infinite of {} values, the first at {}\n", name, step.nan,
                           step.infinite, step.finite + step.nan + step.infinite, step.first_bad);
    }
}

void print(std::ostream& out, const TraceCheck& check) {
    out << fmt::format("  {}  {}\n", check.passed ? "check" : "!!! check FAILED", harmless(check.text));
    if (!check.remark.empty()) out << "         " << check.remark << '\n';
}

}  // namespace tfs
