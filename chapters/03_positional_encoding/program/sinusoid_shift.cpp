// chapters/03_positional_encoding/program/sinusoid_shift.cpp · sinusoids: a shift of the position is a rotation, and a dot product knows the distance
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/03_positional_encoding/program/frequency.hpp"

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

Column column_of(const Tensor& table, std::size_t column, std::size_t begin, std::size_t count) {
    Column values;
    for (std::size_t row = begin; row < begin + count; ++row) values.push_back(table.array()(row, column));
    return values;
}

double inner(const Column& a, const Column& b) {
    double total = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
    return total;
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
    for (std::size_t c = 0; c < table.size(-1); ++c) {
        Column column = column_of(table, c, 0, rows);
        const double before = std::sqrt(inner(column, column));
        remove_projections(column, basis);
        remove_projections(column, basis);
        const double length = std::sqrt(inner(column, column));
        if (length <= 1e-7 * before || length == 0.0) continue;  // of the earlier columns, but for rounding
        for (double& value : column) value /= length;
        basis.push_back(std::move(column));
    }
    double left = 0.0, all = 0.0;
    for (std::size_t c = 0; c < table.size(-1); ++c) {
        Column target = column_of(table, c, k, rows);
        all += inner(target, target);
        remove_projections(target, basis);
        left += inner(target, target);
    }
    return std::sqrt(left / all);
}

}  // namespace

void measure_rotation(Show& show, std::size_t max_len) {
    const std::size_t d_model = show.options.d_model;
    const SinusoidalPositionalEncoding encoding(std::min<std::size_t>(d_model, 64),
                                                std::min<std::size_t>(max_len, 256));
    const Tensor& table = encoding.table;
    const std::size_t rows = table.size(0), width = table.size(-1);
    fmt::print(show.out, "  PE(pos + k) as a linear map of PE(pos), over a table ({}, {})\n", rows, width);
    if (width < d_model) show.out << "  This comparison uses a width of 64 at most.\n";
    if (rows < 2 * width + 1) {  // with fewer rows than columns any table has such a map
        fmt::print(show.out,
                   "  With {} positions it can't tell: it needs more than twice as many positions as ", rows);
        fmt::print(show.out, "columns; try --max-len {}.\n", 4 * width);
        return;
    }
    Rng rng(show.options.seed);
    const Tensor random(rng.normal_array({rows, width}));
    fmt::print(show.out, "\n  {:>4} {:>20} {:>26} {:>30}\n", "k", "rotation of pairs",
               "best map, what is left", "the same for random rows");
    for (const std::size_t k : {1u, 5u, 20u}) {
        if (k + 2 * width > rows) continue;
        fmt::print(show.out, "  {:>4} {:>20} {:>26} {:>30}\n", k, small_or_number(rotation_error(table, k)),
                   small_or_number(least_squares_residual(table, k)),
                   small_or_number(least_squares_residual(random, k)));
    }
}

void measure_dot_products(Show& show, const Tensor& table) {
    const std::size_t max_len = table.size(0), width = table.size(-1);
    const auto row = [&](std::size_t pos) { return table.values().subspan(pos * width, width); };
    fmt::print(show.out, "\n  Dot products of two rows of the table, at width {}\n\n  {:>4} {:>22} {:>38}\n",
               width, "k", "PE(0).PE(k)", "largest change over all positions");
    for (std::size_t k = 0; k < max_len; k = k == 0 ? 1 : 2 * k) {
        const double first = dot(row(0), row(k));
        double change = 0.0;
        for (std::size_t pos = 0; pos + k < max_len; ++pos) {
            const double here = dot(row(pos), row(pos + k));
            change = std::max(change, std::abs(here - first));
        }
        fmt::print(show.out, "  {:>4} {:>22.3f} {:>38}\n", k, first, small_or_number(change));
    }
}

HeatMapFigure table_figure(const Tensor& table) {
    const std::size_t rows = std::min<std::size_t>(table.size(0), 64),
                      width = std::min<std::size_t>(table.size(-1), 20);  // further right only stripes
    std::string caption =
        "Each row is what is added to the token at that position. The columns come in pairs, a sine and "
        "a cosine, and each pair turns more slowly than the pair before it.";
    if (width < table.size(-1))
        caption += fmt::format(" The first {} of {} columns are drawn.", width, table.size(-1));
    return {.name = "sinusoids",
            .title = fmt::format("Sinusoids, d_model {}", table.size(-1)),
            .row_axis = "position",
            .column_axis = "column (even: sine, odd: cosine)",
            .panels = {{.title = "PE(position, column): the further right, the more slowly a column turns",
                        .values = slice(slice(table, 0, 0, rows), 1, 0, width).array(),
                        .scale = ColourScale::diverging}},
            .panels_per_row = 1,
            .caption = std::move(caption)};
}

LineFigure columns_figure(const Tensor& table) {
    const std::size_t width = table.size(-1), rows = std::min<std::size_t>(table.size(0), 64);
    LinePanel panel{"sines of a few pairs", "position", "PE(position, column)"};
    std::size_t before = width;
    for (const std::size_t pair : {std::size_t{0}, width / 8, width / 4, 3 * width / 8, width / 2 - 1}) {
        if (pair == before) continue;  // narrow tables have fewer
        before = pair;
        const double length = 2.0 * std::numbers::pi / frequency(pair, width);
        if (length > 10.0 * static_cast<double>(rows)) continue;  // a flat line
        Series series{fmt::format("column {}: one turn in {:.1f}", 2 * pair, length)};
        for (std::size_t pos = 0; pos < rows; ++pos) {
            series.add(static_cast<double>(pos), table.array()(pos, 2 * pair));
        }
        panel.series.push_back(std::move(series));
    }
    return {.name = "columns",
            .title = fmt::format("Single columns, d_model {}", width),
            .panels = {panel},
            .panels_per_row = 1,
            .caption =
                "Fast columns tell neighbours apart, slow columns tell distant positions apart. Each "
                "curve is one column of the table; a few are drawn, none that would look flat here. The "
                "curves have corners because positions are whole numbers."};
}

HeatMapFigure similarity_figure(const Tensor& table) {
    const Tensor rows = slice(table, 0, 0, std::min<std::size_t>(table.size(0), 32));
    return {.name = "similarity",
            .title = "How alike are two positions?",
            .row_axis = "position",
            .column_axis = "position",
            .panels = {{.title = "PE(row) · PE(column)",
                        .values = matmul(rows, rows, Transpose::b).array(),
                        .scale = ColourScale::sequential,
                        .quantity = "dot product"}},
            .panels_per_row = 1,
            .caption =
                "All cells on one diagonal have the same colour: the dot product depends only on the "
                "distance of two positions. It is largest at distance 0, and equal in both directions. "
                "The colour bar begins at the smallest product, not at 0."};
}

}  // namespace tfs
