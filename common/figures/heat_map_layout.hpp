// common/figures/heat_map_layout.hpp · where the panels of a heat map figure lie
//
// In points, with the origin at the lower left. Everything is placed by hand, because gnuplot's own layout
// gives each panel of a multiplot another size as soon as their labels differ.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/figures/figure.hpp"

namespace tfs {

// One size for all panels of a figure, so that they line up: that of the largest. Many panels that are alike (all layers
// and heads of a model) are a sheet: smaller, and labelled on the left and at the bottom only.
struct HeatMapLayout {
    std::size_t rows = 1, columns = 1;  // cells of the largest panel
    std::size_t panels_per_row = 1, panel_rows = 1;
    bool sheet = false;
    double cell_width = 0.0, cell_height = 0.0;
    double font = 11.0;                             // of the labels
    bool rotated = false;                           // the column labels
    double title_font = 12.0, title_height = 30.0;  // of a panel
    double left = 0.0, below = 0.0;  // of a panel, or once of a sheet: room for the labels and the axis' name
    double slot_width = 0.0, slot_height = 0.0;
    double grid_top = 0.0;  // the upper edge of the uppermost cells
    double bar_slot = 0.0;  // a colour bar with its numbers
    double width = 0.0, height = 0.0;
    std::vector<ColourScale> bars;  // one for each scale that occurs

    bool labels_rows(std::size_t panel) const { return !sheet || panel % panels_per_row == 0; }
    bool labels_columns(std::size_t panel, std::size_t panels) const {
        return !sheet || panel + panels_per_row >= panels;
    }
    bool large_cells() const { return std::min(cell_width, cell_height) >= 9.0; }
    bool numbered() const;  // whether the cells show their numbers
    double panels_width() const;
};

HeatMapLayout lay_out(const HeatMapFigure& figure);

struct PanelEdges {
    double left, right, bottom, top;
};
PanelEdges edges_of_panel(const HeatMapLayout& layout, std::size_t index, std::size_t rows,
                          std::size_t columns);
PanelEdges edges_of_bar(const HeatMapLayout& layout, std::size_t index);

// "'The' 0, 'cat' 1" for gnuplot's xtics and ytics. Where they would touch, only every k-th: `room` points
// are needed by each.
std::string tic_list(const std::vector<std::string>& tokens, std::size_t count, double cell, double room);

// The name on the colour bar of a scale.
std::string bar_name(const HeatMapFigure& figure, ColourScale scale);

}  // namespace tfs
