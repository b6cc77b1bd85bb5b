// chapters/06_residual_dropout/program/stream_sizes.cpp · the puzzle: the size of the stream with the factor and without it
#include <algorithm>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

double largest(const StreamSizes& sizes) {
    return *std::max_element(sizes.after_layer.begin(), sizes.after_layer.end());
}

// The two sizes with one factor, over the number of layers.
struct FactorCurves {
    Series stream, change;

    FactorCurves(const std::string& factor, Hue hue)
        : stream{.name = factor, .hue = hue}, change{.name = factor, .hue = hue} {}

    void add(double layers, const StreamSizes& sizes) {
        stream.add(layers, largest(sizes));
        change.add(layers, sizes.change);
    }
};

LineFigure stream_figure(const std::vector<FactorCurves>& factors) {
    const auto panel = [&](const std::string& title, Series FactorCurves::*curve, const Limit& zone) {
        LinePanel one{.title = title,
                      .x_axis = "layers",
                      .y_axis = "size",
                      .log_x = true,
                      .log_y = true,
                      .limits = {zone}};
        for (const FactorCurves& factor : factors) one.series.push_back(factor.*curve);
        return one;
    };
    return {.name = "stream",
            .title = "Factor 1 makes the stream too large; factor 1/layers changes it too little",
            .panels = {panel("largest size of the stream", &FactorCurves::stream,
                             {2.0, 1000.0, "too large: 2 and more"}),
                       panel("change of the stream by all layers together", &FactorCurves::change,
                             {0.001, 0.25, "too little: below 0.25"})},
            .caption =
                "branch_factor must stay out of both shaded zones at every depth. Not drawn: the third "
                "condition, and depths above 128."};
}

Report show_stream_sizes(const Request& request) {
    const bool own = request.on_own_steps;  // our factor would give the puzzle away
    Table table{.columns = {{"layers", whole()},
                            {"size with factor 1", fixed(2)},
                            {"size with branch_factor", fixed(2)},
                            {"change", fixed(2)}}};
    if (own) table.columns.push_back({"your factor", fixed(3)});
    FactorCurves one{"factor 1", Hue::without}, shared{"factor 1/layers", Hue::other},
        ours{"branch_factor", Hue::with};
    for (std::size_t layers = 1; layers <= 128; layers *= 2) {
        const auto depth = static_cast<double>(layers);
        const float factor = branch_factor(layers);
        const StreamSizes unscaled = stream_sizes(layers, 1.0f, request[options::seed]),
                          scaled = stream_sizes(layers, factor, request[options::seed]);
        one.add(depth, unscaled);
        shared.add(depth, stream_sizes(layers, static_cast<float>(1.0 / depth), request[options::seed]));
        ours.add(depth, scaled);
        std::vector<Cell> row{layers, largest(unscaled), largest(scaled), scaled.change};
        if (own) row.emplace_back(factor);
        table.add(row);
    }
    Report report;
    report.add(table);
    report.add(stream_figure({one, shared, ours}));
    return report;
}

}  // namespace

Sections stream_sizes_sections() {
    return {{"stream", "Puzzle: the size of the stream", show_stream_sizes, {options::seed}}};
}

}  // namespace tfs
