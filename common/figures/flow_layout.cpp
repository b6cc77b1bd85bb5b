// common/figures/flow_layout.cpp · sizes and places of boxes, and lines around them
#include "common/figures/flow_layout.hpp"

#include <algorithm>
#include <numeric>

#include "common/figures/figure_parts.hpp"
#include "common/text/display.hpp"

namespace tfs {
namespace {

constexpr double panel_title_height = 34.0, gap = 34.0;
constexpr double box_height = 30.0, circle = 22.0, input_height = 16.0, arrow = 36.0;
constexpr double least_box_width = 150.0, link_room = 26.0;
constexpr double letter = 6.9, small_letter = 6.3,
                 title_letter = 7.8;  // mean widths at sizes 10.5, 9.5 and 12

double text_width(const std::string& text, double one) {
    return one * static_cast<double>(display_width(text));
}

double height_of(const FlowBox& box) {
    return is_circle(box) ? circle : box.kind == FlowKind::input ? input_height : box_height;
}

// The same for all boxes of a figure.
double box_width(const FlowFigure& figure) {
    double width = least_box_width;
    for (const FlowPanel& panel : figure.panels) {
        for (const FlowBox& box : panel.boxes) width = std::max(width, text_width(box.name, letter) + 26.0);
    }
    return width;
}

// The lane of each residual, 0 beside the boxes: a longer one goes around the shorter ones that it meets.
std::vector<std::size_t> lanes_of(const FlowPanel& panel) {
    const std::vector<FlowResidual>& all = panel.residuals;
    std::vector<std::size_t> order(all.size()), lanes(all.size(), 0);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return all[a].to - all[a].from < all[b].to - all[b].from;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const FlowResidual& one = all[order[i]];
        for (std::size_t j = 0; j < i; ++j) {
            const FlowResidual& other = all[order[j]];
            const bool meets = one.from < other.to && other.from < one.to;
            if (meets) lanes[order[i]] = std::max(lanes[order[i]], lanes[order[j]] + 1);
        }
    }
    return lanes;
}

// Sets the boxes' places along the flow from 0 on; returns its length, with the arrow that leaves the last one.
double stack_boxes(FlowPanelPlace& place, const FlowPanel& panel, double width) {
    double along = 0.0;
    for (const FlowBox& box : panel.boxes) {
        const double half = is_circle(box)                ? circle / 2
                            : box.kind == FlowKind::input ? text_width(box.name, letter) / 2 + 4.0
                                                          : width / 2;
        place.boxes.push_back({along, along + height_of(box), half});
        along = place.boxes.back().exit + arrow;
    }
    return along;
}

// The room on the left of the centre line, and the lines of the residuals relative to it.
double room_on_the_left(FlowPanelPlace& place, const FlowPanel& panel, double width) {
    bool labelled = false;
    for (const FlowResidual& residual : panel.residuals) labelled = labelled || !residual.label.empty();
    double room = width / 2;
    for (const std::size_t lane : lanes_of(panel)) {
        place.residuals.push_back(width / 2 + 20.0 + (labelled ? 32.0 : 18.0) * static_cast<double>(lane));
        room = std::max(room, place.residuals.back() + (labelled ? 18.0 : 4.0));
    }
    return room;
}

double room_on_the_right(const FlowFigure& figure, std::size_t index, double width) {
    const FlowPanel& panel = figure.panels[index];
    double room = width / 2;
    for (std::size_t b = 0; b < panel.boxes.size(); ++b) {
        const double from = 10.0 + (ends_in_links(figure, index, b) ? width / 2 : 0.0);
        room = std::max(room, from + text_width(panel.boxes[b].shape, small_letter));
    }
    for (const FlowInput& input : panel.inputs) {
        room = std::max(room,
                        width / 2 + flow_input_arrow + 6.0 +
                            std::max(text_width(input.name, letter), text_width(input.shape, small_letter)));
    }
    return room;
}

}  // namespace

bool is_circle(const FlowBox& box) { return box.kind == FlowKind::add && display_width(box.name) <= 2; }

bool ends_in_links(const FlowFigure& figure, std::size_t panel, std::size_t box) {
    return box + 1 == figure.panels[panel].boxes.size() &&
           std::any_of(figure.links.begin(), figure.links.end(), [=](const FlowLink& link) {
               return link.from_panel == panel && link.from_box == box;
           });
}

FlowLayout lay_out(const FlowFigure& figure) {
    FlowLayout layout;
    layout.arrow = figure.upwards ? arrow : -arrow;
    const double width = box_width(figure);
    double longest = 0.0;
    double x = figure_margin;
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const FlowPanel& panel = figure.panels[p];
        FlowPanelPlace place;
        longest = std::max(longest, stack_boxes(place, panel, width));
        const bool linked = std::any_of(figure.links.begin(), figure.links.end(),
                                        [p](const FlowLink& link) { return link.to_panel == p; });
        const double half_title = text_width(panel.title, title_letter) / 2;
        place.left = x;
        place.centre =
            x + std::max(half_title, room_on_the_left(place, panel, width)) + (linked ? link_room : 0.0);
        place.right = place.centre + std::max(half_title, room_on_the_right(figure, p, width)) +
                      (linked ? link_room : 0.0);
        for (double& line : place.residuals) line = place.centre - line;
        x = place.right + gap;
        layout.panels.push_back(std::move(place));
    }
    layout.width = std::max(x - gap + figure_margin, 2 * figure_margin + text_width(figure.title, 9.8));
    layout.titles = figure_margin + longest + panel_title_height - 14.0;
    layout.height = figure_margin + longest + panel_title_height +
                    (figure.title.empty() ? 0.0 : figure_title_height) + figure_margin;
    for (FlowPanelPlace& place : layout.panels) {
        for (FlowBoxPlace& box : place.boxes) {
            box.entry = figure.upwards ? figure_margin + box.entry : figure_margin + longest - box.entry;
            box.exit = figure.upwards ? figure_margin + box.exit : figure_margin + longest - box.exit;
        }
    }
    return layout;
}

}  // namespace tfs
