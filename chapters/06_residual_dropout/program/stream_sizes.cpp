// chapters/06_residual_dropout/program/stream_sizes.cpp · the puzzle: the size of the stream with the factor and without it
#include <algorithm>

#include "chapters/06_residual_dropout/models/layer_stack.hpp"
#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

LineFigure stream_figure(const Table& table, const Series& too_little) {
    const auto curve = [&](const std::string& column, const std::string& name, Hue hue) {
        Series one = series(table, "layers", column, name);
        one.hue = hue;
        return one;
    };
    const auto panel = [](const std::string& title, const std::vector<Series>& curves, const Limit& zone) {
        return LinePanel{.title = title,
                         .x_axis = "layers",
                         .y_axis = "size",
                         .log_x = true,
                         .series = curves,
                         .from_zero = true,
                         .limits = {zone}};
    };
    return {.name = "stream",
            .title = "With branch_factor the stream stays small, and yet the layers change it",
            .panels = {panel("largest size of the stream",
                             {curve("size with factor 1", "factor 1", Hue::without),
                              curve("size with branch_factor", "branch_factor", Hue::with)},
                             {2.0, 1000.0, "too large"}),
                       panel("size of the change by all layers together",
                             {curve("change", "branch_factor", Hue::with), too_little},
                             {0.0, 0.25, "too little change"})},
            .caption =
                "Drawn from branch_factor. The stream must stay below 2 after every layer, and all layers "
                "together must change it by 0.25 or more."};
}

Report show_stream_sizes(const Request& request) {
    const bool own = request.on_own_steps;  // our factor would give the puzzle away
    Table table{.columns = {{"layers", whole()},
                            {"size with factor 1", fixed(2)},
                            {"size with branch_factor", fixed(2)},
                            {"change", fixed(2)}}};
    if (own) table.columns.push_back({"your factor", fixed(3)});
    Series too_little{.name = "factor 1/layers"};
    for (std::size_t layers = 1; layers <= 128; layers *= 2) {
        const auto depth = static_cast<double>(layers);
        too_little.add(depth,
                       stream_sizes(layers, static_cast<float>(1.0 / depth), request[options::seed]).change);
        const float factor = branch_factor(layers);
        const StreamSizes plain = stream_sizes(layers, 1.0f, request[options::seed]),
                          scaled = stream_sizes(layers, factor, request[options::seed]);
        const auto largest = [](const StreamSizes& sizes) {
            return *std::max_element(sizes.after_layer.begin(), sizes.after_layer.end());
        };
        std::vector<Cell> row{layers, largest(plain), largest(scaled), scaled.change};
        if (own) row.emplace_back(factor);
        table.add(row);
    }
    Report report;
    report.add(table);
    report.add(stream_figure(table, too_little));
    return report;
}

}  // namespace

Section stream_sizes_puzzle() {
    return {.id = "stream",
            .title = "Puzzle: the size of the stream",
            .options = {options::seed},
            .run = show_stream_sizes};
}

}  // namespace tfs
