// common/figures/figure_parts.hpp · the parts that figures are made of, for figure.cpp and its kin
#pragma once

#include <string>
#include <string_view>

#include "common/figures/figure.hpp"

namespace tfs {

// The gnuplot script of a figure, with its data. It draws into NAME.png or NAME.svg in the folder where it
// runs, or into `picture`, if that variable is set before (gnuplot -e "picture='…'").
std::string gnuplot_script(const HeatMapFigure& figure, FigureFormat format);
std::string gnuplot_script(const LineFigure& figure, FigureFormat format);
std::string gnuplot_script(const BarFigure& figure, FigureFormat format);
std::string gnuplot_script(const FlowFigure& figure, FigureFormat format);

// The figure's numbers: name, title, axes, and for each panel labels, shape, values (NaN as null), mask,
// colour range; of a flow its boxes and what joins them.
std::string figure_json(const HeatMapFigure& figure);
std::string figure_json(const LineFigure& figure);
std::string figure_json(const BarFigure& figure);
std::string figure_json(const FlowFigure& figure);

// Throw ShapeError or ValueError as FigureFolder::save says.
void require_drawable(const HeatMapFigure& figure);
void require_drawable(const LineFigure& figure);
void require_drawable(const BarFigure& figure);
void require_drawable(const FlowFigure& figure);

// What all figures must have: a name for files, a panel, a row of panels that is not empty.
void require_panels(const std::string& name, std::size_t panels, std::size_t panels_per_row);

// The sum of a bar's parts.
double total(const Bar& bar);

// The colours' range of a scale in a figure: over all allowed, finite values of the panels that use it.
struct ColourRange {
    double low = 0.0, high = 1.0;
};
ColourRange colour_range(const HeatMapFigure& figure, ColourScale scale);

// 'text' as gnuplot reads it: quotes doubled, control characters as spaces, bytes that are not UTF-8 as "?".
std::string gnuplot_string(std::string_view text);

// The head of a script: terminal, size in points of the layout, output file.
std::string gnuplot_head(const std::string& name, const std::string& title, FigureFormat format, double width,
                         double height);

// Puts a text at a place of the layout: "set label 1 'text' at screen …". Style: alignment, font, colour.
std::string gnuplot_label(int number, std::string_view text, double x, double y, std::string_view style);

// Of every figure: the white around it, and the room for its title.
constexpr double figure_margin = 18.0, figure_title_height = 38.0;

// The figure's title, as label 9, in the upper left corner.
std::string gnuplot_title(std::string_view title, double height);

// The edges of a panel's plot.
std::string gnuplot_margins(double left, double right, double bottom, double top);

// What became of a program that was run in a folder.
struct ProcessResult {
    bool missing = false;  // there is no such program
    int exit_code = 0;     // 128 + signal where one ended it
    std::string output;    // standard output and standard error together
};
// Throws FileError where the folder can't be entered.
ProcessResult run_process(const std::vector<std::string>& arguments, const std::filesystem::path& folder);

// Whether the machine has a font for all of these labels (only East Asian ones are looked for).
bool fonts_cover(const std::vector<HeatMapPanel>& panels);

}  // namespace tfs
