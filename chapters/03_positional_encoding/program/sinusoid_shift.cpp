// chapters/03_positional_encoding/program/sinusoid_shift.cpp · sinusoids: a shift of the position is a rotation, a dot product knows the distance; the head of the puzzle
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// The largest |R(k) PE(pos) - PE(pos + k)|, with R(k) turning pair i by the angle k / 10000^(2i / d_model).
double rotation_error(const Tensor& table, std::size_t k) {
    const Array& pe = table.array();
    const std::size_t width = table.size(-1);
    double worst = 0.0;
    for (std::size_t pos = 0; pos + k < table.size(0); ++pos) {
        for (std::size_t i = 0; i < width / 2; ++i) {
            const double angle = static_cast<double>(k) * frequency(i, width);
            const double sine = pe(pos, 2 * i), cosine = pe(pos, 2 * i + 1);
            const double turned[2] = {sine * std::cos(angle) + cosine * std::sin(angle),
                                      cosine * std::cos(angle) - sine * std::sin(angle)};
            for (std::size_t side = 0; side < 2; ++side)
                worst = std::max(worst, std::abs(turned[side] - pe(pos + k, 2 * i + side)));
        }
    }
    return worst;
}

using Column = std::vector<double>;

// The columns of the rows begin … begin + count - 1.
std::vector<Column> columns_of(const Tensor& table, std::size_t begin, std::size_t count) {
    std::vector<Column> columns(table.size(-1), Column(count));
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t row = 0; row < count; ++row) columns[c][row] = table.array()(begin + row, c);
    return columns;
}

double inner(const Column& a, const Column& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void remove_projections(Column& column, const std::vector<Column>& basis) {
    for (const Column& direction : basis) {
        const double along = inner(column, direction);
        for (std::size_t i = 0; i < column.size(); ++i) column[i] -= along * direction[i];
    }
}

// What the best linear map from the rows 0 … to the rows k … leaves over, relative to the latter: Gram-Schmidt on the
// columns (each twice, against rounding), then whatever of the later rows' columns lies outside of their span.
double least_squares_residual(const Tensor& table, std::size_t k) {
    const std::size_t rows = table.size(0) - k;
    std::vector<Column> basis;
    for (Column& column : columns_of(table, 0, rows)) {
        const double before = std::sqrt(inner(column, column));
        remove_projections(column, basis);
        remove_projections(column, basis);
        const double length = std::sqrt(inner(column, column));
        if (length <= 1e-7 * before || length == 0.0) continue;  // of the earlier columns, but for rounding
        for (double& value : column) value /= length;
        basis.push_back(column);
    }
    double left = 0.0, all = 0.0;
    for (Column& target : columns_of(table, k, rows)) {
        all += inner(target, target);
        remove_projections(target, basis);
        left += inner(target, target);
    }
    return std::sqrt(left / all);
}

// The table of published code: column c turns by 10000^(-2c / d_model), so no two columns make a pair.
Tensor column_table(std::size_t width, std::size_t positions) {
    Array values = Array::from_shape({positions, width});
    for (std::size_t c = 0; c < width; ++c) {
        for (std::size_t pos = 0; pos < positions; ++pos) {
            const double angle = static_cast<double>(pos) * frequency(c, width);
            values(pos, c) = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return Tensor(std::move(values));
}

// PE(pos + k) as a linear map of PE(pos): each pair rotated by its angle, or the map found by least squares, beside a table
// of random rows, where there is no such map. Not wider than 64 or longer than 256: that would take long and say the same.
Report rotation_report(std::size_t d_model, std::size_t max_len, std::uint64_t seed) {
    const SinusoidalPositionalEncoding encoding(std::min<std::size_t>(d_model, 64),
                                                std::min<std::size_t>(max_len, 256));
    const Tensor& table = encoding.table;
    const std::size_t rows = table.size(0), width = table.size(-1);
    Report report;
    report.note(fmt::format("PE(pos + k) as a linear map of PE(pos), over a table ({}, {}){}", rows, width,
                            width < d_model ? "\nThis comparison uses a width of 64 at most." : ""));
    if (rows < 2 * width + 1) {  // with fewer rows than columns any table has such a map
        report.note(
            fmt::format("With {} positions it can't tell: it needs more than twice as many positions as "
                        "columns; try --max-len {}.",
                        rows, 4 * width));
        return report;
    }
    Rng rng(seed);
    const Tensor random(rng.normal_array({rows, width}));
    Table shifts{.columns = {{"k", whole()},
                             {"rotation of pairs", magnitude()},
                             {"best map, what is left", magnitude()},
                             {"a frequency for each column", magnitude()},
                             {"random rows", magnitude()}}};
    const Tensor columns = column_table(width, rows);
    for (const std::size_t k : {1u, 5u, 20u})
        if (k + 2 * width <= rows)
            shifts.add({k, rotation_error(table, k), least_squares_residual(table, k),
                        least_squares_residual(columns, k), least_squares_residual(random, k)});
    report.add(shifts);
    return report;
}

// PE(pos) · PE(pos + k) depends on k alone.
Table dot_products(const Tensor& table) {
    const std::size_t max_len = table.size(0), width = table.size(-1);
    const auto row = [&](std::size_t pos) { return table.values().subspan(pos * width, width); };
    Table products{
        .title = fmt::format("Dot products of two rows of the table, at width {}", width),
        .columns = {
            {"k", whole()}, {"PE(0).PE(k)", fixed(3)}, {"largest change over all positions", magnitude()}}};
    for (std::size_t k = 0; k < max_len; k = k == 0 ? 1 : 2 * k) {
        const double first = dot(row(0), row(k));
        double change = 0.0;
        for (std::size_t pos = 0; pos + k < max_len; ++pos)
            change = std::max(change, std::abs(dot(row(pos), row(pos + k)) - first));
        products.add({k, first, change});
    }
    return products;
}

Report show_shifts(const Request& request) {
    const std::size_t d_model = request[options::d_model], max_len = request[options::max_len];
    const Tensor table = SinusoidalPositionalEncoding(d_model, max_len).table;
    Report report = rotation_report(d_model, max_len, request[options::seed]);
    report.add(dot_products(table));
    return report;
}

// --- the puzzle: what the head with weights by hand looks at

HeatMapFigure previous_token_figure() {
    const Tokens words = split_words("The cat sat on the mat");
    HeatMapPanel panel{.values = weights_among_positions(previous_token_head(), words.size()),
                       .rows = words,
                       .columns = words};
    for (std::size_t i = 1; i < words.size(); ++i) {
        panel.meant.push_back(i);
        panel.answers.push_back("→ " + words[i - 1]);
    }
    return {.name = "previous_token",
            .title = "From positions alone each word finds the word before it",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption =
                "The puzzle's head sees positions and no mask; the words are only labels. The first word has "
                "none before it, so it has no row.",
            .largest = 1.0};
}

Report show_previous_token(const Request&) {
    constexpr std::size_t last = 64;
    const Array weights = weights_among_positions(previous_token_head(), last + 1);
    float least = 1.0f;
    for (std::size_t i = 1; i <= last; ++i) least = std::min(least, weights(i, i - 1));
    Report report;
    report.note(fmt::format("smallest weight on the previous token, positions 1 to {}: {:.2f}", last, least));
    report.add(previous_token_figure());
    return report;
}

}  // namespace

Sections sinusoid_shift_sections() {
    return {{"shift",
             "A shift of the sinusoids is a rotation, and their dot product knows the distance",
             show_shifts,
             {options::d_model, options::max_len, options::seed},
             Level::deeper},
            {"puzzle", "Puzzle: a head that looks at the previous token", show_previous_token}};
}

}  // namespace tfs
