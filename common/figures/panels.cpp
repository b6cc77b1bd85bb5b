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

using Kind = PlaneShape::Kind;
constexpr double box_height = 32.0, arrow_length = 30.0, radius = 11.0;  // of a flow column

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
    panel_.shapes.push_back({.kind = Kind::rectangle,
                             .from_x = middle_ - box_width / 2,
                             .from_y = height_,
                             .to_x = middle_ + box_width / 2,
                             .to_y = height_ + box_height,
                             .label = name,
                             .hue = hue,
                             .light = true});
    height_ += box_height;
    return height_ - box_height / 2;
}

void FlowColumn::branch() {
    branched_ = height_ + 0.4 * arrow_length;
    line(Kind::line, middle_, height_, middle_, branched_, true);
    in_branch_ = true;
}

void FlowColumn::add(const std::string& carried) {
    rise(carried);
    const double outer = middle_ + side_ * reach, centre = height_ + radius;
    line(Kind::line, middle_, branched_, outer, branched_, true);
    line(Kind::line, outer, branched_, outer, centre, true);
    line(Kind::arrow, outer, centre, middle_ + side_ * radius, centre, true);
    panel_.shapes.push_back(
        {.kind = Kind::circle, .from_x = middle_, .from_y = centre, .label = "+", .size = radius});
    height_ += 2 * radius;
    in_branch_ = false;
}

void FlowColumn::output(const std::string& words) {
    rise({});
    panel_.text(middle_, height_ + 10.0, words);
}

void FlowColumn::line(Kind kind, double from_x, double from_y, double to_x, double to_y, bool stream,
                      const std::string& label) {
    const double bold = (stream ? 3.0 : 1.0) * (kind == Kind::arrow ? 0.65 : 1.0);  // both kinds as wide
    panel_.shapes.push_back({.kind = kind,
                             .from_x = from_x,
                             .from_y = from_y,
                             .to_x = to_x,
                             .to_y = to_y,
                             .label = label,
                             .hue = stream ? Hue::residual : Hue::other,
                             .size = bold});
}

void FlowColumn::rise(const std::string& carried) {
    const double above = height_ + arrow_length;
    if (!carried.empty())
        line(Kind::line, middle_, height_, middle_, height_ + arrow_length / 3, false, carried);
    line(Kind::arrow, middle_, in_branch_ ? std::max(height_, branched_) : height_, middle_, above,
         !in_branch_);
    height_ = above;
}

Series histogram(const std::string& name, std::span<const float> values, double low, double high,
                 std::size_t bins) {
    const double step = (high - low) / static_cast<double>(bins);
    std::vector<double> counts(bins, 0.0);
    for (const float value : values) {
        if (!(value >= low && value <= high)) continue;
        const auto bin = static_cast<std::size_t>((value - low) / step);
        counts[std::min(bin, bins - 1)] += 1.0;  // the last one takes in `high` itself
    }
    Series outline{name};
    for (std::size_t i = 0; i < bins; ++i) {
        const double left = low + step * static_cast<double>(i);
        const double density = counts[i] / (static_cast<double>(values.size()) * step);
        outline.add(left, density);
        outline.add(left + step, density);
    }
    return outline;
}

}  // namespace tfs
