// common/report/report.cpp · a report grows item by item; what its traces say of a tensor
#include "common/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

// The place of a value, or of a row if the last axis is left out.
std::vector<std::size_t> index_of(std::size_t offset, const Shape& shape, std::size_t axes) {
    std::vector<std::size_t> index(axes);
    for (std::size_t i = axes; i-- > 0;) {
        index[i] = offset % shape[i];
        offset /= shape[i];
    }
    return index;
}

// "batch 0, query 3, key 7"
std::string named_index(std::size_t offset, const Shape& shape, const std::vector<std::string>& axes) {
    const std::vector<std::size_t> index = index_of(offset, shape, shape.size());
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < index.size(); ++i) parts.push_back(fmt::format("{} {}", axes[i], index[i]));
    return parts.empty() ? "the only element" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string row_index(std::size_t row, const Shape& shape) {
    return fmt::format("({})", fmt::join(index_of(row, shape, shape.size() - 1), ", "));
}

// Fills in the statistics of `step`.
void measure(TraceStep& step, std::span<const float> values) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        if (!std::isfinite(value)) {
            if (step.nan + step.infinite == 0) step.first_bad = named_index(i, step.shape, step.axes);
            ++(std::isnan(value) ? step.nan : step.infinite);
            continue;
        }
        step.minimum = step.finite == 0 ? value : std::min(step.minimum, value);
        step.maximum = step.finite == 0 ? value : std::max(step.maximum, value);
        sum += value;
        ++step.finite;
    }
    if (step.finite > 0) step.mean = sum / static_cast<double>(step.finite);
}

TraceCheck rows_sum_to_one(const std::string& name, const Tensor& weights) {
    if (weights.rank() == 0) throw ShapeError(fmt::format("check of {}: a scalar has no rows", name));
    const Shape shape = weights.shape();
    const std::size_t width = shape.back();
    const std::span<const float> values = weights.values();
    std::size_t empty = 0, first_empty = 0;
    double largest_deviation = 0.0;
    std::string bad;
    for (std::size_t begin = 0; width > 0 && begin < values.size(); begin += width) {
        const auto row = values.subspan(begin, width);
        if (std::all_of(row.begin(), row.end(), [](float value) { return value == 0.0f; })) {
            if (empty++ == 0) first_empty = begin / width;
            continue;
        }
        double sum = 0.0;
        for (const float value : row) sum += value;
        const double deviation = std::abs(sum - 1.0);
        // Float rounding grows with the row; NaN must fail too, hence the negation.
        if (!(deviation <= 1e-6 * static_cast<double>(10 + width)) && bad.empty())
            bad = fmt::format("{}: row {} sums to {:.6g}, not to 1", name, row_index(begin / width, shape),
                              sum);
        largest_deviation = std::max(largest_deviation, deviation);
    }
    TraceCheck check{bad, bad.empty()};
    if (check.passed)
        check.text = fmt::format("{}: rows sum to 1 (largest deviation {:.1e})", name, largest_deviation);
    if (empty > 0)
        check.remark = fmt::format("{} {} all zero, nothing allowed there (the first: {})", empty,
                                   empty == 1 ? "row is" : "rows are", row_index(first_empty, shape));
    return check;
}

}  // namespace

Report::Report() = default;
Report::Report(Table table) { add(std::move(table)); }
Report::Report(Paragraph paragraph) { items.emplace_back(std::move(paragraph)); }
Report::Report(Report&& other) noexcept = default;
Report& Report::operator=(Report&& other) noexcept = default;
Report::~Report() = default;

std::string TokenText::text() const {
    std::string all = prompt;
    for (const WrittenToken& token : tokens) all += token.text;
    return all;
}

void Report::note(std::string text) { items.emplace_back(Paragraph{std::move(text)}); }
void Report::quote(std::string text) { items.emplace_back(Paragraph{std::move(text), true}); }
void Report::add(Table table) { items.emplace_back(std::move(table)); }
void Report::add(Map map) { items.emplace_back(std::move(map)); }
void Report::add(TokenText text) { items.emplace_back(std::move(text)); }
void Report::add(std::vector<View> views) { items.emplace_back(Drawing{std::move(views)}); }

void Report::add(Figure figure) {
    std::vector<View> views(1);
    views[0].figure = std::move(figure);
    add(std::move(views));
}

void Report::add(Report more) {
    for (Item& item : more.items) items.push_back(std::move(item));
}

ShapeTrace& Report::trace() {
    if (items.empty() || !std::holds_alternative<ShapeTrace>(items.back())) items.emplace_back(ShapeTrace{});
    return std::get<ShapeTrace>(items.back());
}

void Report::step(std::string name, const Tensor& x, std::vector<std::string> axes, std::string note) {
    if (axes.size() != x.rank())
        throw ShapeError(fmt::format("trace of {}: {} names of axes for the shape {}", name, axes.size(),
                                     to_string(x.shape())));
    TraceStep step{
        .name = std::move(name), .shape = x.shape(), .axes = std::move(axes), .note = std::move(note)};
    measure(step, x.values());
    trace().lines.emplace_back(std::move(step));
}

bool Report::check_rows_sum_to_one(const std::string& name, const Tensor& weights) {
    const TraceCheck check = rows_sum_to_one(name, weights);
    trace().lines.emplace_back(check);
    return check.passed;
}

}  // namespace tfs
