// common/figures/figure_checks.cpp · whether a figure can be drawn at all, its name, its drawing
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/base/array.hpp"
#include "common/base/errors.hpp"
#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

// Throws the Problem unless `good`; the sentence begins with what it is about.
template <class Problem = ValueError, class... Parts>
void require(bool good, const std::string& where, fmt::format_string<Parts...> sentence, Parts&&... parts) {
    if (!good) throw Problem(where + fmt::format(sentence, std::forward<Parts>(parts)...));
}

std::string in_figure(const std::string& name) { return fmt::format("figure {}: ", name); }

std::string in_panel(const auto& figure, const auto& panel) {
    return fmt::format("figure {}: panel \"{}\" ", figure.name, panel.title);
}

void require_fitting(const HeatMapFigure& figure, const HeatMapPanel& panel) {
    const std::string here = in_panel(figure, panel);
    const Shape shape = shape_of(panel.values);
    const auto fits = [](std::size_t labels, std::size_t size) { return labels == 0 || labels == size; };
    require<ShapeError>(
        shape.size() == 2 && fits(panel.rows.size(), shape[0]) && fits(panel.columns.size(), shape[1]), here,
        "has values of shape {}, {} row and {} column labels", to_string(shape), panel.rows.size(),
        panel.columns.size());
    require(panel.values.size() > 0, here, "is empty");
    for (const std::size_t row : panel.meant) require(row < shape[0], here, "has no row {}", row);
    const std::size_t rows = rows_of(panel).size();
    require<ShapeError>(fits(panel.answers.size(), rows), here, "has {} answers for {} rows",
                        panel.answers.size(), rows);
    const bool truths = std::all_of(panel.values.data(), panel.values.data() + panel.values.size(),
                                    [](float value) { return value == 0.0f || value == 1.0f; });
    require(panel.scale != ColourScale::yes_no || truths, here,
            "has values other than 1 for yes and 0 for no");
    if (panel.allowed)
        require<ShapeError>(shape_of(*panel.allowed) == shape, here,
                            "has values of shape {} and a mask of shape {}", to_string(shape),
                            to_string(shape_of(*panel.allowed)));
}

void require_fitting(const LineFigure& figure, const LinePanel& panel) {
    const std::string here = in_figure(figure.name);
    require(!figure.same_y || panel.log_y == figure.panels[0].log_y, here,
            "its panels share a y axis, but only some of them are logarithmic");
    for (const Limit& limit : panel.limits)
        require(
            !(limit.on_x ? panel.log_x : panel.log_y) || (limit.from > 0.0 && limit.to.value_or(1.0) > 0.0),
            here, "the limit \"{}\" is not positive on a logarithmic axis", limit.name);
    bool any = false;
    for (const Series& series : panel.series) {
        require<ShapeError>(series.x.size() == series.y.size(), here, "series \"{}\" has {} x and {} y",
                            series.name, series.x.size(), series.y.size());
        const auto not_positive = [](double value) { return value <= 0.0; };
        const bool bad_x = panel.log_x && std::ranges::any_of(series.x, not_positive);
        const bool bad_y = panel.log_y && std::ranges::any_of(series.y, not_positive);
        require(!bad_x && !bad_y, here,
                "series \"{}\" has a value that is not positive on the logarithmic {} axis", series.name,
                bad_x ? "x" : "y");
        for (std::size_t i = 0; i < series.x.size(); ++i)
            any = any || (std::isfinite(series.x[i]) && std::isfinite(series.y[i]));
    }
    require(any, in_panel(figure, panel), "has no point to draw");
}

void require_fitting(const BarFigure& figure, const BarPanel& panel) {
    const std::string here = in_figure(figure.name);
    double sum = 0.0;
    for (const Bar& bar : panel.bars) {
        require<ShapeError>(bar.values.size() == panel.parts.size(), here,
                            "bar \"{}\" has {} values for the {} parts of panel \"{}\"", bar.label,
                            bar.values.size(), panel.parts.size(), panel.title);
        for (std::size_t i = 0; i < bar.values.size(); ++i)
            require(std::isfinite(bar.values[i]) && bar.values[i] >= 0.0, here,
                    "bar \"{}\" has the value {} of \"{}\"; it must be at least 0", bar.label, bar.values[i],
                    panel.parts[i].name);
        sum += total(bar);
    }
    require(sum != 0.0, in_panel(figure, panel), "has no bar to draw");
    require(std::isfinite(sum), here, "the sums of panel \"{}\" overflow", panel.title);
}

void require_fitting(const ArcFigure& figure, const ArcPanel& panel) {
    const std::string here = in_panel(figure, panel);
    const std::size_t words = panel.words.size();
    require(words > 0 && !panel.storeys.empty(), here, "has no words or no arcs");
    require<ShapeError>(panel.names.empty() || panel.names.size() == panel.storeys.size(), here,
                        "has {} storeys and {} names", panel.storeys.size(), panel.names.size());
    for (const std::vector<Arc>& storey : panel.storeys)
        for (const Arc& arc : storey)
            require(arc.from < words && arc.to < words && arc.weight >= 0.0 && arc.weight <= 1.0, here,
                    "has {} words, and an arc from {} to {} of weight {}", words, arc.from, arc.to,
                    arc.weight);
}

void require_fitting(const PlaneFigure& figure, const PlanePanel& panel) {
    const std::string here = in_panel(figure, panel);
    require(panel.low_x < panel.high_x && panel.low_y < panel.high_y, here, "has no area");
    for (const PlaneShape& shape : panel.shapes)
        require(std::isfinite(shape.from_x + shape.from_y + shape.to_x + shape.to_y + shape.size), here,
                "has a shape \"{}\" that has no place", shape.label);
}

void require_fitting(const SmallMapsFigure& figure, const SmallMap& panel) {
    const std::string here = in_panel(figure, panel);
    require<ShapeError>(panel.values.dimension() == 2, here, "has values of shape {}",
                        to_string(shape_of(panel.values)));
    require(panel.values.size() > 0, here, "is empty");
    for (const float value : panel.values)
        require(value >= 0.0f && value <= 1.0f, here, "has the value {}; it must be in 0 … 1", value);
}

void require_fitting(const auto& figure) {
    const bool plain = std::ranges::all_of(
        figure.name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
    require(!figure.name.empty() && plain,
            "figure: ", "\"{}\" is no name for files; use small letters, digits and _", figure.name);
    require(!figure.panels.empty(), in_figure(figure.name), "it has no panel");
    if constexpr (requires { figure.panels_per_row; })
        require(figure.panels_per_row > 0, in_figure(figure.name), "panels_per_row is 0");
    for (const auto& panel : figure.panels) require_fitting(figure, panel);
}

}  // namespace

void require_drawable(const Figure& figure) {
    std::visit([](const auto& one) { require_fitting(one); }, figure);
}

std::string svg(const Figure& figure) {
    require_drawable(figure);
    return std::visit([](const auto& one) { return drawn(one); }, figure);
}

const std::string& name_of(const Figure& figure) {
    return std::visit([](const auto& one) -> const std::string& { return one.name; }, figure);
}

const std::string& caption_of(const Figure& figure) {
    return std::visit([](const auto& one) -> const std::string& { return one.caption; }, figure);
}

double total(const Bar& bar) { return std::accumulate(bar.values.begin(), bar.values.end(), 0.0); }

}  // namespace tfs
