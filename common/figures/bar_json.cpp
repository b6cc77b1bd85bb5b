// common/figures/bar_json.cpp · the numbers of stacked bars as JSON, and whether they can be drawn at all
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/figures/figure_parts.hpp"

namespace tfs {
namespace {

void require_bar(const BarFigure& figure, const BarPanel& panel, const Bar& bar) {
    if (bar.values.size() != panel.parts.size()) {
        throw ShapeError(fmt::format("figure {}: bar \"{}\" has {} values for the {} parts of panel \"{}\"",
                                     figure.name, bar.label, bar.values.size(), panel.parts.size(),
                                     panel.title));
    }
    for (std::size_t i = 0; i < bar.values.size(); ++i) {
        if (std::isfinite(bar.values[i]) && bar.values[i] >= 0.0) continue;
        throw ValueError(
            fmt::format("figure {}: bar \"{}\" has the value {} of \"{}\"; it must be at least 0",
                        figure.name, bar.label, bar.values[i], panel.parts[i]));
    }
}

}  // namespace

double total(const Bar& bar) {
    double sum = 0.0;
    for (const double value : bar.values) sum += value;
    return sum;
}

void require_drawable(const BarFigure& figure) {
    require_panels(figure.name, figure.panels.size(), figure.panels_per_row);
    for (const BarPanel& panel : figure.panels) {
        double sum = 0.0;
        for (const Bar& bar : panel.bars) {
            require_bar(figure, panel, bar);
            sum += total(bar);
        }
        if (sum == 0.0)
            throw ValueError(
                fmt::format("figure {}: panel \"{}\" has no bar to draw", figure.name, panel.title));
        if (!std::isfinite(sum))
            throw ValueError(
                fmt::format("figure {}: the sums of panel \"{}\" overflow", figure.name, panel.title));
    }
}

std::string figure_json(const BarFigure& figure) {
    nlohmann::ordered_json json;
    json["name"] = figure.name;
    json["title"] = figure.title;
    json["kind"] = "bars";
    json["panels"] = nlohmann::ordered_json::array();
    for (const BarPanel& panel : figure.panels) {
        nlohmann::ordered_json one;
        one["title"] = panel.title;
        one["axis"] = panel.value_axis;
        one["share"] = panel.share;
        one["parts"] = panel.parts;
        one["bars"] = nlohmann::ordered_json::array();
        for (const Bar& bar : panel.bars)
            one["bars"].push_back({{"label", bar.label}, {"values", bar.values}, {"total", total(bar)}});
        json["panels"].push_back(std::move(one));
    }
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tfs
