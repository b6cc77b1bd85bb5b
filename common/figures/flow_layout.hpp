// common/figures/flow_layout.hpp · where the boxes of a data flow lie
//
// In points, with the origin at the lower left. A panel is a column of boxes around a centre line; residual connections
// run on its left, shapes and inputs stand on its right.
#pragma once

#include <vector>

#include "common/figures/figure.hpp"

namespace tfs {

struct FlowBoxPlace {
    double entry = 0.0, exit = 0.0;  // the y at which the data comes in and goes out
    double half_width = 0.0;

    double middle() const { return (entry + exit) / 2; }
};

struct FlowPanelPlace {
    double left = 0.0, centre = 0.0, right = 0.0;  // the panel with all that stands beside its boxes
    std::vector<FlowBoxPlace> boxes = {};
    std::vector<double> residuals = {};  // the x of each one's line
};

struct FlowLayout {
    std::vector<FlowPanelPlace> panels = {};
    double width = 0.0, height = 0.0, titles = 0.0;  // titles: the y of the panels' names
    double arrow = 0.0;  // the length of an arrow: negative where the data flows downwards
};

FlowLayout lay_out(const FlowFigure& figure);

constexpr double flow_input_arrow = 40.0;  // the length of the arrow of an input

// Whether a box is drawn as a circle: an addition whose name is a sign.
bool is_circle(const FlowBox& box);

// Whether a box is the last one of its panel and its output goes on in other panels.
bool ends_in_links(const FlowFigure& figure, std::size_t panel, std::size_t box);

}  // namespace tfs
