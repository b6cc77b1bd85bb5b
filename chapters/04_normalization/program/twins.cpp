// chapters/04_normalization/program/twins.cpp · the puzzle: two pairs of rows, and what the norms leave of them
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

double apart(const Tensor& one, const Tensor& two) { return largest_difference(one.array(), two.array()); }

// What was done to the first row of a pair: "row + 10", "row x 2".
std::string change_of(const RowPair& pair) {
    const Tensor difference = pair.second - pair.first, ratio = pair.second / pair.first;
    const auto all_equal = [](const Tensor& x) {
        const auto [least, most] = std::minmax_element(x.values().begin(), x.values().end());
        return *most - *least <= 1e-5f;
    };
    if (all_equal(difference)) return fmt::format("row + {:g}", difference.values()[0]);
    if (all_equal(ratio)) return fmt::format("row x {:g}", ratio.values()[0]);
    return "row, changed";
}

// "the row (1, 2)" if both pairs begin with it.
std::string row_of(const NormTwins& twins) {
    const Tensor &row = twins.for_layer_norm.first, &other = twins.for_both.first;
    if (row.shape() != other.shape() || apart(row, other) > 0.0) return "a row";
    return fmt::format("the row ({:g})", fmt::join(row.values(), ", "));
}

HeatMapPanel pair_panel(const std::string& norm, const RowPair& pair, const Tensor& first,
                        const Tensor& second) {
    const std::size_t features = first.size();
    const bool same = apart(first, second) <= 1e-5;  // as the puzzle says
    HeatMapPanel panel{
        .title = fmt::format("{}, after {}", change_of(pair), norm),
        .values = concat({reshape(first, {1, features}), reshape(second, {1, features})}, 0).array(),
        .rows = {"row", change_of(pair)},
        .scale = ColourScale::diverging,
        .answers = {"", same ? "the same" : "different"}};
    for (std::size_t i = 0; i < features; ++i) panel.columns.push_back(fmt::format("{}", i + 1));
    return panel;
}

Report show_twins(const Request&) {
    const NormTwins twins = norm_twins();
    HeatMapFigure figure{
        .name = "twins",
        .title = "LayerNorm can't see that a row was shifted; neither norm sees that it was stretched",
        .row_axis = "",
        .column_axis = "feature",
        .caption = fmt::format("Each map: {} and the same row changed, after the norm. \"The same\": this "
                               "norm can't tell them apart.",
                               row_of(twins))};
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
        figure.panels.push_back(pair_panel("LayerNorm", pair, a, b));
        figure.panels.push_back(pair_panel("RMSNorm", pair, c, d));
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
