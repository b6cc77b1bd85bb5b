// chapters/04_normalization/program/twins.cpp · the puzzle: two pairs of rows, and what the norms leave of them
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

namespace {

std::string row_text(const Tensor& row) {
    return fmt::format("({:g})", fmt::join(row.values().begin(), row.values().end(), ", "));
}

HeatMapPanel pair_panel(const std::string& title, const RowPair& pair, const Tensor& first,
                        const Tensor& second) {
    const std::size_t features = first.size();
    HeatMapPanel panel{
        .title = title,
        .values = concat({reshape(first, {1, features}), reshape(second, {1, features})}, 0).array(),
        .rows = {row_text(pair.first), row_text(pair.second)},
        .scale = ColourScale::diverging};
    for (std::size_t i = 0; i < features; ++i) panel.columns.push_back(fmt::format("f{}", i + 1));
    return panel;
}

}  // namespace

void show_twins(Show& show) {
    const NormTwins twins = norm_twins();
    HeatMapFigure figure{
        .name = "twins",
        .title = "Two pairs of rows after each norm",
        .row_axis = "row",
        .column_axis = "feature",
        .caption = "Where both rows of a panel look the same, the norm can't tell them apart."};
    fmt::print(show.out, "  Largest difference between the two rows\n");
    fmt::print(show.out, "{:>24} {:>12} {:>17} {:>15}\n", "", "as they are", "after LayerNorm",
               "after RMSNorm");
    for (const auto& [name, pair] :
         {std::pair{"first pair", twins.for_layer_norm}, std::pair{"second pair", twins.for_both}}) {
        const LayerNorm layer(pair.first.size());
        const RMSNorm root(pair.first.size());
        const Tensor a = layer(pair.first), b = layer(pair.second), c = root(pair.first),
                     d = root(pair.second);
        const auto apart = [](const Tensor& one, const Tensor& two) {
            return largest_difference(one.array(), two.array());
        };
        fmt::print(show.out, "{:>24} {:>12.2f} {:>17.5f} {:>15.5f}\n", name, apart(pair.first, pair.second),
                   apart(a, b), apart(c, d));
        figure.panels.push_back(pair_panel(fmt::format("{}, after LayerNorm", name), pair, a, b));
        figure.panels.push_back(pair_panel(fmt::format("{}, after RMSNorm", name), pair, c, d));
    }
    show.figures.save(figure);
}

}  // namespace tfs
