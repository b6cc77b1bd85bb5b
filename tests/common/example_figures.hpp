// tests/common/example_figures.hpp · one figure of each kind, with texts that need care
#pragma once

#include <string>
#include <vector>

#include "common/figures/figure.hpp"

namespace tfs::test {

inline HeatMapFigure heat_map_figure() {
    HeatMapFigure figure{"heads", "Layer 1"};
    const HeatMapPanel panel{
        "head 1", Array{{0.25f, 0.75f}, {0.1f, 0.9f}}, {"it's", "50% {a_b}"}, {"\\n", "고양이"}, {}};
    figure.panels = {panel, panel};
    figure.panels[1].title = "head 2";
    figure.panels[1].allowed = xt::xarray<bool>{{true, false}, {true, true}};
    return figure;
}

inline LineFigure line_figure() {
    LineFigure figure{"lines", "Entropy against d_k"};
    figure.panels = {{"entropy",
                      "d_k",
                      "nats",
                      true,
                      true,
                      {{"scaled", {4, 16, 64}, {1, 0.9, 0.95}}, {"unscaled", {4, 16, 64}, {1, 0.1, 0.001}}}}};
    return figure;
}

inline ArcFigure arc_figure() {
    const std::vector<std::string> words{"the", "<cat>", "was", "고양이"};
    return {.name = "arcs",
            .title = "Who looks at whom",
            .panels = {
                {"one", words, {{{3, 1, 0.94}, {3, 3, 0.04}, {2, 2, 0.5}}}},
                {"two blocks", words, {{{3, 2, 1.0, Hue::query}}, {{3, 1, 0.75}}}, {"block 1", "block 2"}}}};
}

inline SmallMapsFigure small_maps_figure() {
    return {.name = "small",
            .title = "All heads",
            .panels = {{"1.1", Array{{1.0f, 0.0f, 0.0f}, {0.5f, 0.5f, 0.0f}, {0.0f, 0.01f, 0.99f}}},
                       {"<1.2>", Array{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}}},
            .panels_per_row = 2};
}

inline PlaneFigure plane_figure() {
    using Kind = PlaneShape::Kind;
    return {.name = "plane",
            .title = "A turn",
            .panels = {{"q & k",
                        -1.5,
                        1.5,
                        -1.0,
                        1.0,
                        {{Kind::circle, 0, 0, 0, 0, "", Hue::other, 0.8, true},
                         {Kind::arrow, 0, 0, 0.8, 0, "q", Hue::query},
                         {Kind::arc, 0, 0, 0, 57, "57°", Hue::positions, 0.4},
                         {Kind::point, -1, 0.5, 0, 0, "cat"},
                         {Kind::line, -1, -1, 1, 1, "border", Hue::other, 0.0, true},
                         {Kind::rectangle, 0.5, -0.9, 1.2, -0.5, "W", Hue::key},
                         {Kind::text, -1, -0.8, 0, 0, "origin"}}}}};
}

inline BarFigure bar_figure() {
    return {.name = "parts",
            .title = "Parameters by part",
            .panels = {{.title = "it's {two_models}",
                        .value_axis = "parameters",
                        .parts = {{"attention", Hue::attention}, {"FFN 50%", Hue::feed_forward}, {"pooler"}},
                        .bars = {{"BERT-base", {28e6, 56e6, 5e5}}, {"GPT-2", {28e6, 56e6, 0}}}},
                       {.title = "shares",
                        .value_axis = "share",
                        .parts = {{"pooler"}, {"other"}},
                        .bars = {{"one", {1, 3}}, {"none", {0, 0}}},
                        .share = true}}};
}

inline std::vector<Figure> example_figures() {
    return {heat_map_figure(), line_figure(),  bar_figure(),
            arc_figure(),      plane_figure(), small_maps_figure()};
}

}  // namespace tfs::test
