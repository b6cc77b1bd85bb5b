// chapters/04_normalization/program/twins.cpp · the puzzle: two pairs of rows, and what the norms leave of them
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

std::string row_text(const Tensor& row) {
    return fmt::format("({:g})", fmt::join(row.values().begin(), row.values().end(), ", "));
}

double apart(const Tensor& one, const Tensor& two) { return largest_difference(one.array(), two.array()); }

HeatMapPanel pair_panel(const std::string& title, const RowPair& pair, const Tensor& first,
                        const Tensor& second) {
    const std::size_t features = first.size();
    const bool same = apart(first, second) <= 1e-5;  // as the puzzle says
    HeatMapPanel panel{
        .title = title,
        .values = concat({reshape(first, {1, features}), reshape(second, {1, features})}, 0).array(),
        .rows = {row_text(pair.first), row_text(pair.second)},
        .scale = ColourScale::diverging,
        .answers = {"", same ? "= the same" : "≠ different"}};
    for (std::size_t i = 0; i < features; ++i) panel.columns.push_back(fmt::format("f{}", i + 1));
    return panel;
}

Report show_twins(const Request&) {
    const NormTwins twins = norm_twins();
    HeatMapFigure figure{.name = "twins",
                         .title = "Two rows that look the same after a norm are the same row to it",
                         .row_axis = "row",
                         .column_axis = "feature",
                         .caption =
                             "On the left, two different rows; in colour, what a norm makes of them. "
                             "\"= the same\": this norm can't tell them apart."};
    Table table{
        .title = "Largest difference between the two rows",
        .columns = {
            {""}, {"as they are", fixed(2)}, {"after LayerNorm", fixed(5)}, {"after RMSNorm", fixed(5)}}};
    for (const auto& [name, pair] :
         {std::pair{"first pair", twins.for_layer_norm}, std::pair{"second pair", twins.for_both}}) {
        const LayerNorm layer(pair.first.size());
        const RMSNorm root(pair.first.size());
        const Tensor a = layer(pair.first), b = layer(pair.second), c = root(pair.first),
                     d = root(pair.second);
        table.add({name, apart(pair.first, pair.second), apart(a, b), apart(c, d)});
        figure.panels.push_back(pair_panel(fmt::format("{}, after LayerNorm", name), pair, a, b));
        figure.panels.push_back(pair_panel(fmt::format("{}, after RMSNorm", name), pair, c, d));
    }
    Report report;
    report.add(table);
    report.add(figure);
    return report;
}

}  // namespace

Section own_twins() {
    return {.id = "puzzle", .title = "Your puzzle: what the norms can't see", .run = show_twins};
}

Section twins() {
    return {.id = "puzzle-solution",
            .title = "A solution of the puzzle",
            .level = Level::deeper,
            .run = show_twins};
}

}  // namespace tfs
