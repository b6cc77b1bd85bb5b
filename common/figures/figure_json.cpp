// common/figures/figure_json.cpp · the numbers of a figure as JSON, and whether they can be drawn at all
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/base/shape.hpp"
#include "common/figures/figure_parts.hpp"

namespace tfs {
namespace {

// Keeps the order of the keys, and writes floats as the shortest text that reads back as the same float.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                                  std::uint64_t, float>;
using PreciseJson = nlohmann::ordered_json;

const char* name_of(ColourScale scale) {
    switch (scale) {
        case ColourScale::probability:
            return "probability";
        case ColourScale::diverging:
            return "diverging";
        case ColourScale::sequential:
            return "sequential";
        case ColourScale::yes_no:
            return "yes or no";
    }
    return "";
}

// A 2-D array as a list of rows; what is not finite becomes null, as JSON has no word for it.
template <class Values>
Json rows_of(const Values& values) {
    Json rows = Json::array();
    const std::size_t columns = values.shape()[1];
    for (std::size_t i = 0; i < values.shape()[0]; ++i) {
        Json row = Json::array();
        for (std::size_t j = 0; j < columns; ++j) row.push_back(values.data()[i * columns + j]);
        rows.push_back(std::move(row));
    }
    return rows;
}

template <class AnyJson>
std::string text_of(const AnyJson& json) {
    return json.dump(1, ' ', false, AnyJson::error_handler_t::replace) + "\n";
}

void require_file_name(const std::string& name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_' || c == '.';
    });
    if (name.empty() || name.front() == '.' || name.front() == '-' || !plain) {
        throw ValueError(
            fmt::format("figure: \"{}\" is no name for files; use letters, digits, - _ and .", name));
    }
}

void require_series(const LineFigure& figure, const LinePanel& panel, const Series& series) {
    if (series.x.size() != series.y.size()) {
        throw ShapeError(fmt::format("figure {}: series \"{}\" has {} x and {} y", figure.name, series.name,
                                     series.x.size(), series.y.size()));
    }
    const auto not_positive = [](double value) { return value <= 0.0; };
    const bool bad_x = panel.log_x && std::any_of(series.x.begin(), series.x.end(), not_positive);
    const bool bad_y = panel.log_y && std::any_of(series.y.begin(), series.y.end(), not_positive);
    if (bad_x || bad_y) {
        throw ValueError(fmt::format(
            "figure {}: series \"{}\" has a value that is not positive on the logarithmic {} axis",
            figure.name, series.name, bad_x ? "x" : "y"));
    }
}

}  // namespace

void require_panels(const std::string& name, std::size_t panels, std::size_t panels_per_row) {
    require_file_name(name);
    if (panels == 0) throw ValueError(fmt::format("figure {}: it has no panel", name));
    if (panels_per_row == 0) throw ValueError(fmt::format("figure {}: panels_per_row is 0", name));
}

void require_drawable(const HeatMapFigure& figure) {
    require_panels(figure.name, figure.panels.size(), figure.panels_per_row);
    for (const HeatMapPanel& panel : figure.panels) {
        const Shape shape = shape_of(panel.values);
        const auto fits = [](std::size_t labels, std::size_t size) { return labels == 0 || labels == size; };
        if (shape.size() != 2 || !fits(panel.rows.size(), shape[0]) ||
            !fits(panel.columns.size(), shape[1])) {
            throw ShapeError(fmt::format(
                "figure {}: panel \"{}\" has values of shape {}, {} row and {} column labels", figure.name,
                panel.title, to_string(shape), panel.rows.size(), panel.columns.size()));
        }
        if (panel.values.size() == 0)
            throw ValueError(fmt::format("figure {}: panel \"{}\" is empty", figure.name, panel.title));
        const bool truths = std::all_of(panel.values.data(), panel.values.data() + panel.values.size(),
                                        [](float value) { return value == 0.0f || value == 1.0f; });
        if (panel.scale == ColourScale::yes_no && !truths) {
            throw ValueError(
                fmt::format("figure {}: panel \"{}\" has values other than 1 for yes and 0 for no",
                            figure.name, panel.title));
        }
        if (panel.allowed && shape_of(*panel.allowed) != shape) {
            throw ShapeError(
                fmt::format("figure {}: panel \"{}\" has values of shape {} and a mask of shape {}",
                            figure.name, panel.title, to_string(shape), to_string(shape_of(*panel.allowed))));
        }
    }
}

void require_drawable(const LineFigure& figure) {
    require_panels(figure.name, figure.panels.size(), figure.panels_per_row);
    for (const LinePanel& panel : figure.panels) {
        bool any = false;
        for (const Series& series : panel.series) {
            require_series(figure, panel, series);
            for (std::size_t i = 0; i < series.x.size(); ++i)
                any = any || (std::isfinite(series.x[i]) && std::isfinite(series.y[i]));
        }
        if (!any)
            throw ValueError(
                fmt::format("figure {}: panel \"{}\" has no point to draw", figure.name, panel.title));
    }
}

ColourRange colour_range(const HeatMapFigure& figure, ColourScale scale) {
    if (scale == ColourScale::probability || scale == ColourScale::yes_no) return {0.0, 1.0};
    bool any = false;
    ColourRange range;
    for (const HeatMapPanel& panel : figure.panels) {
        if (panel.scale != scale) continue;
        for (std::size_t i = 0; i < panel.values.size(); ++i) {
            const double value = panel.values.data()[i];
            if (!std::isfinite(value) || (panel.allowed && !panel.allowed->data()[i])) continue;
            range.low = any ? std::min(range.low, value) : value;
            range.high = any ? std::max(range.high, value) : value;
            any = true;
        }
    }
    if (scale == ColourScale::diverging) {
        range.high = any ? std::max(std::abs(range.low), std::abs(range.high)) : 1.0;
        range.low = -range.high;
    }
    if (range.high <= range.low) {  // one single value: gnuplot needs a range
        range.low -= 0.5;
        range.high += 0.5;
    }
    return range;
}

std::string figure_json(const HeatMapFigure& figure) {
    Json json;
    json["name"] = figure.name;
    json["title"] = figure.title;
    json["kind"] = "heat maps";
    json["axes"] = {figure.row_axis, figure.column_axis};
    json["panels"] = Json::array();
    for (const HeatMapPanel& panel : figure.panels) {
        const ColourRange range = colour_range(figure, panel.scale);
        Json one;
        one["title"] = panel.title;
        one["scale"] = name_of(panel.scale);
        one["range"] = {static_cast<float>(range.low), static_cast<float>(range.high)};
        one["shape"] = shape_of(panel.values);
        one["rows"] = panel.rows;
        one["columns"] = panel.columns;
        one["values"] = rows_of(panel.values);
        if (panel.allowed) one["allowed"] = rows_of(*panel.allowed);
        json["panels"].push_back(std::move(one));
    }
    return text_of(json);
}

std::string figure_json(const LineFigure& figure) {
    PreciseJson json;
    json["name"] = figure.name;
    json["title"] = figure.title;
    json["kind"] = "lines";
    json["panels"] = PreciseJson::array();
    for (const LinePanel& panel : figure.panels) {
        PreciseJson one;
        one["title"] = panel.title;
        one["axes"] = {panel.x_axis, panel.y_axis};
        one["logarithmic"] = {panel.log_x, panel.log_y};
        one["series"] = PreciseJson::array();
        for (const Series& series : panel.series)
            one["series"].push_back({{"name", series.name}, {"x", series.x}, {"y", series.y}});
        json["panels"].push_back(std::move(one));
    }
    return text_of(json);
}

}  // namespace tfs
