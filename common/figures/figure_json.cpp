// common/figures/figure_json.cpp · the numbers of figures as JSON, for other viewers
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "common/base/shape.hpp"
#include "common/figures/parts.hpp"

namespace tfs {

namespace {

using Json = nlohmann::ordered_json;

// A float as the shortest text that reads back as the same float; what is not finite is null, as JSON has no word for it.
using FloatJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                                       std::uint64_t, float>;

template <class Values>
FloatJson rows_of(const Values& values) {
    FloatJson rows = FloatJson::array();
    const std::size_t columns = values.shape()[1];
    for (std::size_t i = 0; i < values.shape()[0]; ++i) {
        const auto* row = values.data() + i * columns;
        rows.push_back(std::vector(row, row + columns));
    }
    return rows;
}

template <class AnyJson>
std::string text_of(const char* kind, const auto& figure, const AnyJson& rest) {
    AnyJson json{{"name", figure.name}, {"title", figure.title}, {"caption", figure.caption}, {"kind", kind}};
    json.update(rest);
    return json.dump(1, ' ', false, AnyJson::error_handler_t::replace) + "\n";
}

std::string json_of(const HeatMapFigure& figure) {
    constexpr const char* scales[] = {"probability", "diverging", "sequential", "yes or no", "cyclic"};
    FloatJson panels = FloatJson::array();
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const HeatMapPanel& panel = figure.panels[i];
        const ColourRange range = colour_range(figure, i);
        FloatJson one{{"title", panel.title},
                      {"scale", scales[static_cast<int>(panel.scale)]},
                      {"range", {static_cast<float>(range.low), static_cast<float>(range.high)}},
                      {"shape", shape_of(panel.values)},
                      {"rows", panel.rows},
                      {"columns", panel.columns},
                      {"values", rows_of(panel.values)}};
        if (!panel.meant.empty()) one["meant"] = panel.meant;
        if (panel.allowed) one["allowed"] = rows_of(*panel.allowed);
        panels.push_back(std::move(one));
    }
    return text_of("heat maps", figure,
                   FloatJson{{"axes", {figure.row_axis, figure.column_axis}}, {"panels", panels}});
}

std::string json_of(const LineFigure& figure) {
    Json panels = Json::array();
    for (const LinePanel& panel : figure.panels) {
        Json series = Json::array();
        for (const Series& one : panel.series)
            series.push_back({{"name", one.name}, {"x", one.x}, {"y", one.y}});
        panels.push_back({{"title", panel.title},
                          {"axes", {panel.x_axis, panel.y_axis}},
                          {"logarithmic", {panel.log_x, panel.log_y}},
                          {"series", series}});
    }
    return text_of("lines", figure, Json{{"panels", panels}});
}

std::string json_of(const BarFigure& figure) {
    Json panels = Json::array();
    for (const BarPanel& panel : figure.panels) {
        Json bars = Json::array();
        for (const Bar& bar : panel.bars)
            bars.push_back({{"label", bar.label}, {"values", bar.values}, {"total", total(bar)}});
        panels.push_back({{"title", panel.title},
                          {"axis", panel.value_axis},
                          {"share", panel.share},
                          {"parts", panel.parts},
                          {"bars", bars}});
    }
    return text_of("bars", figure, Json{{"panels", panels}});
}

std::string json_of(const FlowFigure& figure) {
    constexpr const char* kinds[] = {"other", "input", "norm", "attention", "feed-forward", "add"};
    Json panels = Json::array(), links = Json::array();
    for (const FlowPanel& panel : figure.panels) {
        Json one{{"title", panel.title}, {"downward", panel.downward}};
        for (const char* part : {"boxes", "residuals", "inputs", "repeats"}) one[part] = Json::array();
        for (const FlowBox& box : panel.boxes)
            one["boxes"].push_back(
                {{"name", box.name}, {"shape", box.shape}, {"kind", kinds[static_cast<int>(box.kind)]}});
        for (const FlowResidual& line : panel.residuals)
            one["residuals"].push_back({{"from", line.from}, {"to", line.to}, {"label", line.label}});
        for (const FlowInput& input : panel.inputs)
            one["inputs"].push_back({{"to", input.to}, {"name", input.name}, {"shape", input.shape}});
        for (const FlowRepeat& repeat : panel.repeats)
            one["repeats"].push_back(
                {{"first", repeat.first}, {"last", repeat.last}, {"times", repeat.times}});
        panels.push_back(std::move(one));
    }
    for (const FlowLink& link : figure.links)
        links.push_back({{"from_panel", link.from_panel},
                         {"from_box", link.from_box},
                         {"to_panel", link.to_panel},
                         {"to_box", link.to_box}});
    return text_of("flow", figure, Json{{"panels", panels}, {"links", links}});
}

// Numbers may differ by 1e-4, or by that share of the larger one.
bool are_close(const Json& a, const Json& b) {
    if (a.is_number() && b.is_number()) {
        const double x = a, y = b;
        return std::abs(x - y) <= 1e-4 * std::max({1.0, std::abs(x), std::abs(y)});
    }
    if (!a.is_structured() || a.type() != b.type()) return a == b;
    if (a.size() != b.size()) return false;
    for (auto one = a.items().begin(), other = b.items().begin(); one != a.items().end(); ++one, ++other)
        if (one.key() != other.key() || !are_close(one.value(), other.value())) return false;
    return true;
}

}  // namespace

std::string json(const Figure& figure) {
    require_drawable(figure);
    return std::visit([](const auto& one) { return json_of(one); }, figure);
}

bool same_numbers(const std::string& a, const std::string& b) {
    const Json one = Json::parse(a, nullptr, false), other = Json::parse(b, nullptr, false);
    return !one.is_discarded() && !other.is_discarded() && are_close(one, other);
}

}  // namespace tfs
