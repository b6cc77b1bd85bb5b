// common/figures/figure_checks.cpp · whether a figure can be drawn at all
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/errors.hpp"
#include "common/base/shape.hpp"
#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

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

void require_panels(const std::string& name, std::size_t panels, std::size_t panels_per_row) {
    require_file_name(name);
    if (panels == 0) throw ValueError(fmt::format("figure {}: it has no panel", name));
    if (panels_per_row == 0) throw ValueError(fmt::format("figure {}: panels_per_row is 0", name));
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
                        figure.name, bar.label, bar.values[i], panel.parts[i].name));
    }
}

void require_panel(const FlowFigure& figure, const FlowPanel& panel) {
    const std::string where = fmt::format("figure {}: panel \"{}\"", figure.name, panel.title);
    const std::size_t boxes = panel.boxes.size();
    if (boxes == 0) throw ValueError(where + " has no box");
    for (std::size_t i = 0; i < boxes; ++i) {
        if (panel.boxes[i].name.empty()) throw ValueError(fmt::format("{}: box {} has no name", where, i));
    }
    if (panel.downward && !(panel.residuals.empty() && panel.repeats.empty()))
        throw ValueError(where + " goes down, and has a residual or a bracket, which go up");
    for (const FlowResidual& residual : panel.residuals) {
        if (residual.to < boxes && residual.from + 1 < residual.to) continue;
        throw ValueError(
            fmt::format("{} has {} boxes, and a residual from {} to {}, which goes around none of them",
                        where, boxes, residual.from, residual.to));
    }
    for (const FlowRepeat& repeat : panel.repeats) {
        if (repeat.first <= repeat.last && repeat.last < boxes) continue;
        throw ValueError(fmt::format("{} has {} boxes, and a bracket from {} to {}", where, boxes,
                                     repeat.first, repeat.last));
    }
    for (const FlowInput& input : panel.inputs) {
        if (input.to < boxes) continue;
        throw ValueError(
            fmt::format("{} has {} boxes, and \"{}\" enters box {}", where, boxes, input.name, input.to));
    }
}

void require_fitting(const HeatMapFigure& figure) {
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
        for (const std::size_t row : panel.meant)
            if (row >= shape[0])
                throw ValueError(
                    fmt::format("figure {}: panel \"{}\" has no row {}", figure.name, panel.title, row));
        if (!fits(panel.answers.size(), rows_of(panel).size()))
            throw ShapeError(fmt::format("figure {}: panel \"{}\" has {} answers for {} rows", figure.name,
                                         panel.title, panel.answers.size(), rows_of(panel).size()));
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

void require_fitting(const LineFigure& figure) {
    require_panels(figure.name, figure.panels.size(), figure.panels_per_row);
    for (const LinePanel& panel : figure.panels) {
        if (figure.same_y && panel.log_y != figure.panels[0].log_y)
            throw ValueError(fmt::format(
                "figure {}: its panels share a y axis, but only some of them are logarithmic", figure.name));
        for (const Limit& limit : panel.limits)
            if ((limit.on_x ? panel.log_x : panel.log_y) &&
                !(limit.from > 0.0 && limit.to.value_or(1.0) > 0.0))
                throw ValueError(
                    fmt::format("figure {}: the limit \"{}\" is not positive on a logarithmic axis",
                                figure.name, limit.name));
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

void require_fitting(const BarFigure& figure) {
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

void require_fitting(const FlowFigure& figure) {
    require_panels(figure.name, figure.panels.size(), 1);
    for (const FlowPanel& panel : figure.panels) require_panel(figure, panel);
    const auto exists = [&](std::size_t panel, std::size_t box) {
        return panel < figure.panels.size() && box < figure.panels[panel].boxes.size();
    };
    for (const FlowLink& link : figure.links) {
        const bool both = exists(link.from_panel, link.from_box) && exists(link.to_panel, link.to_box);
        if (both && link.from_panel != link.to_panel) continue;
        throw ValueError(
            fmt::format("figure {}: there is no link from panel {}, box {} to panel {}, box {}; {}",
                        figure.name, link.from_panel, link.from_box, link.to_panel, link.to_box,
                        both ? "within a panel it is a residual" : "one of the boxes is missing"));
    }
}

void require_fitting(const ArcFigure& figure) {
    require_panels(figure.name, figure.panels.size(), 1);
    for (const ArcPanel& panel : figure.panels) {
        const std::string where = fmt::format("figure {}: panel \"{}\"", figure.name, panel.title);
        if (panel.words.empty() || panel.storeys.empty())
            throw ValueError(where + " has no words or no arcs");
        if (!panel.names.empty() && panel.names.size() != panel.storeys.size())
            throw ShapeError(fmt::format("{} has {} storeys and {} names", where, panel.storeys.size(),
                                         panel.names.size()));
        for (const std::vector<Arc>& storey : panel.storeys)
            for (const Arc& arc : storey)
                if (arc.from >= panel.words.size() || arc.to >= panel.words.size() ||
                    !(arc.weight >= 0.0 && arc.weight <= 1.0))
                    throw ValueError(fmt::format("{} has {} words, and an arc from {} to {} of weight {}",
                                                 where, panel.words.size(), arc.from, arc.to, arc.weight));
    }
}

void require_fitting(const PlaneFigure& figure) {
    require_panels(figure.name, figure.panels.size(), figure.panels_per_row);
    for (const PlanePanel& panel : figure.panels) {
        if (!(panel.low_x < panel.high_x && panel.low_y < panel.high_y))
            throw ValueError(fmt::format("figure {}: panel \"{}\" has no area", figure.name, panel.title));
        for (const PlaneShape& shape : panel.shapes)
            if (!std::isfinite(shape.from_x + shape.from_y + shape.to_x + shape.to_y + shape.size))
                throw ValueError(fmt::format("figure {}: the shape \"{}\" of panel \"{}\" has no place",
                                             figure.name, shape.label, panel.title));
    }
}

}  // namespace

void require_drawable(const Figure& figure) {
    std::visit([](const auto& one) { require_fitting(one); }, figure);
}

const std::string& name_of(const Figure& figure) {
    return std::visit([](const auto& one) -> const std::string& { return one.name; }, figure);
}

const std::string& caption_of(const Figure& figure) {
    return std::visit([](const auto& one) -> const std::string& { return one.caption; }, figure);
}

double total(const Bar& bar) {
    double sum = 0.0;
    for (const double value : bar.values) sum += value;
    return sum;
}

}  // namespace tfs
