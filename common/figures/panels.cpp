// common/figures/panels.cpp
#include "common/figures/panels.hpp"

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

constexpr double box_height = 32.0, arrow_length = 30.0, radius = 11.0;  // of a flow column
// Of the stream; an arrow is drawn wider than a line of the same number.
constexpr double as_wide = 0.65, bold_line = 3.0, bold_arrow = bold_line * as_wide;

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

FlowColumn::FlowColumn(PlanePanel& panel, double middle, const std::string& input, int side)
    : panel_(panel), middle_(middle), side_(side) {
    panel_.text(middle_, 0.0, input);
}

double FlowColumn::box(const std::string& name, Hue hue, const std::string& carried) {
    rise(carried);
    panel_.box(middle_ - box_width / 2, height_, middle_ + box_width / 2, height_ + box_height, hue, name);
    height_ += box_height;
    return height_ - box_height / 2;
}

void FlowColumn::branch() {
    branched_ = height_ + 0.4 * arrow_length;
    panel_.line(middle_, height_, middle_, branched_, Hue::residual, bold_line);
    in_branch_ = true;
}

void FlowColumn::add(const std::string& carried) {
    rise(carried);
    const double outer = middle_ + side_ * reach, centre = height_ + radius;
    panel_.line(middle_, branched_, outer, branched_, Hue::residual, bold_line);
    panel_.line(outer, branched_, outer, centre, Hue::residual, bold_line);
    panel_.arrow(outer, centre, middle_ + side_ * radius, centre, Hue::residual, bold_arrow);
    panel_.circle(middle_, centre, radius, "+");
    height_ += 2 * radius;
    in_branch_ = false;
}

void FlowColumn::output(const std::string& words) {
    rise({});
    panel_.text(middle_, height_ + 10.0, words);
}

void FlowColumn::rise(const std::string& carried) {
    const double above = height_ + arrow_length;
    if (!carried.empty())
        panel_.line(middle_, height_, middle_, height_ + arrow_length / 3, Hue::other, 1.0).label = carried;
    if (in_branch_)
        panel_.arrow(middle_, std::max(height_, branched_), middle_, above, Hue::other, as_wide);
    else
        panel_.arrow(middle_, height_, middle_, above, Hue::residual, bold_arrow);
    height_ = above;
}

}  // namespace tfs
