// common/figures/attention_panel.cpp · the weights of heads as panels of figures
#include "common/figures/attention_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "common/tensor/ops.hpp"

namespace tfs {

namespace {

constexpr std::size_t most_maps = 6;  // in one figure: more are too small to be read

// The heads `first` to `last` - 1 of a layer.
View view_of(const HeatMapFigure& frame, const LayerMaps& layer, std::size_t first, std::size_t last) {
    HeatMapFigure figure = frame;
    std::string name = layer.name;
    if (last - first < layer.weights.size(1))
        name += fmt::format("{}heads {} to {}", name.empty() ? "" : ", ", first + 1, last);
    if (!name.empty()) figure.title += ": " + name;
    figure.panels_per_row = last - first > 4 ? 3 : 2;
    for (std::size_t head = first; head < last; ++head)
        figure.panels.push_back(blank_where_zero(attention_panel(
            fmt::format("head {}", head + 1), layer.weights, head, layer.rows, layer.columns)));
    return {name, figure};
}

}  // namespace

Array attention_map(const Tensor& weights, std::size_t sequence, std::size_t head) {
    const Tensor one = slice(slice(weights, 0, sequence, sequence + 1), 1, head, head + 1);
    return reshape(one, {weights.size(-2), weights.size(-1)}).array();
}

HeatMapPanel attention_panel(const std::string& title, const Tensor& weights, std::size_t head,
                             const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                             const std::optional<Mask>& mask) {
    HeatMapPanel panel{title, attention_map(weights, 0, head), rows, columns};
    if (mask) {
        panel.allowed = mask->expanded({1, 1, weights.size(-2), weights.size(-1)});
        panel.allowed->reshape(panel.values.shape());
    }
    return panel;
}

HeatMapPanel blank_where_zero(HeatMapPanel panel) {
    panel.allowed = xt::not_equal(panel.values, 0.0f);
    return panel;
}

std::vector<View> attention_views(const HeatMapFigure& frame, const std::vector<LayerMaps>& layers) {
    std::vector<View> views;
    double largest = 0.0;
    for (const LayerMaps& layer : layers) {
        const std::size_t heads = layer.weights.size(1);
        for (std::size_t first = 0; first < heads; first += most_maps)
            views.push_back(view_of(frame, layer, first, std::min(first + most_maps, heads)));
        const auto values = layer.weights.values();
        largest = std::accumulate(values.begin(), values.end(), largest,
                                  [](double most, float value) { return value > most ? value : most; });
    }
    for (std::size_t i = 0; i < views.size(); ++i) {
        auto& figure = std::get<HeatMapFigure>(views[i].figure);
        if (largest > 0.0) figure.largest = largest;
        if (i > 0) figure.name += fmt::format("_{}", i + 1);
    }
    return views;
}

}  // namespace tfs
