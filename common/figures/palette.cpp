// common/figures/palette.cpp · the one table of colours
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

using Rgb = std::array<double, 3>;

// From paper to dark; the same from blue over paper to brown; and a circle of hues of one lightness.
constexpr std::array<Rgb, 3> one_hue{Rgb{247, 250, 253}, {114, 147, 184}, {8, 62, 124}};
constexpr std::array<Rgb, 5> two_hues{
    Rgb{24, 72, 130}, {132, 165, 205}, {248, 248, 246}, {224, 156, 118}, {150, 58, 20}};
constexpr std::array<Rgb, 7> circle{Rgb{94, 60, 153}, {66, 118, 178}, {70, 160, 140}, {150, 180, 80},
                                    {220, 150, 70},   {190, 75, 110}, {94, 60, 153}};

template <std::size_t count>
Rgb between(const std::array<Rgb, count>& anchors, double place) {
    const double at = std::clamp(place, 0.0, 1.0) * (count - 1);
    const auto left = std::min(static_cast<std::size_t>(at), count - 2);
    Rgb colour{};
    for (std::size_t i = 0; i < 3; ++i)
        colour[i] = std::lerp(anchors[left][i], anchors[left + 1][i], at - static_cast<double>(left));
    return colour;
}

Rgb rgb(ColourScale scale, double place) {
    if (scale == ColourScale::diverging) return between(two_hues, place);
    if (scale == ColourScale::cyclic) return between(circle, place);
    if (scale == ColourScale::yes_no) return place > 0.5 ? Rgb{79, 119, 166} : Rgb{207, 210, 213};
    return between(one_hue, place);
}

// A concept is a part of the name; the first one that occurs counts.
struct Concept {
    std::string_view word, colour;
};
constexpr Concept concepts[] = {
    {"pre-norm", "#0072b2"},    {"post-norm", "#d55e00"}, {"encoder-decoder", "#5e3c99"},
    {"encoder", "#2a9d8f"},     {"decoder", "#b3491f"},   {"cross", "#cc79a7"},
    {"attention", "#e08a3c"},   {"network", "#4f77a6"},   {"feed", "#4f77a6"},
    {"FFN", "#4f77a6"},         {"norm", "#b8a13a"},      {"residual", "#6b7785"},
    {"embedding", "#009e73"},   {"token", "#009e73"},     {"position", "#56b4e9"},
    {"output table", "#8e3b6e"}};

// Okabe and Ito 2008: colours that colour-blind eyes tell apart, yellow left out on white; then paler ones.
constexpr std::array<std::string_view, 12> others{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#1c2733", "#80b9d9",
                                                  "#eaaf80", "#80cfb9", "#e6bcd3", "#999999"};

std::string concept_colour(std::string_view name) {
    for (const Concept& one : concepts)
        if (const std::size_t at = name.find(one.word); at != std::string_view::npos) {
            const std::string_view after = name.substr(at + one.word.size());
            if (!after.starts_with("al")) return std::string(one.colour);  // "normal" is no norm
        }
    return {};
}

std::string hexadecimal(const Rgb& colour) {
    const auto byte = [](double part) { return static_cast<int>(std::lround(part)); };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(colour[0]), byte(colour[1]), byte(colour[2]));
}

Rgb rgb_of(std::string_view colour) {
    Rgb parts{};
    for (std::size_t i = 0; i < 3; ++i)
        parts[i] = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16);
    return parts;
}

double brightness(const Rgb& colour) { return 0.30 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]; }

double distance(std::string_view a, std::string_view b) {
    const Rgb one = rgb_of(a), other = rgb_of(b);
    return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

}  // namespace

bool is_pale(const HeatMapPanel& panel, std::size_t row) {
    return !panel.meant.empty() &&
           std::find(panel.meant.begin(), panel.meant.end(), row) == panel.meant.end();
}

ColourRange colour_range(const HeatMapFigure& figure, std::size_t panel) {
    const ColourScale scale = figure.panels[panel].scale;
    if (scale == ColourScale::yes_no) return {0.0, 1.0};
    if (scale == ColourScale::cyclic) return {-3.14159265358979, 3.14159265358979};
    double low = INFINITY, high = -INFINITY;
    for (const HeatMapPanel& one : figure.panels) {
        if (one.scale != scale) continue;
        for (std::size_t i = 0; i < one.values.size(); ++i) {
            const double value = one.values.data()[i];
            if (!std::isfinite(value) || (one.allowed && !one.allowed->data()[i]) ||
                is_pale(one, i / one.values.shape()[1]))
                continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (low > high) return {};
    if (scale == ColourScale::probability) {
        low = std::min(0.0, low);
        high = figure.largest.value_or(high);
    }
    if (scale == ColourScale::diverging) {
        high = std::max(std::abs(low), std::abs(high));
        low = -high;
    }
    return low < high ? ColourRange{low, high} : ColourRange{low - 0.5, high + 0.5};
}

std::string colour_at(ColourScale scale, double place) { return hexadecimal(rgb(scale, place)); }

bool is_dark(ColourScale scale, double place) { return brightness(rgb(scale, place)) < 152.0; }

bool is_dark(std::string_view colour) { return brightness(rgb_of(colour)) < 165.0; }

std::vector<std::string> colours_of(const std::vector<std::string>& names) {
    std::vector<std::string> colours(names.size());
    const auto is_free = [&](std::string_view colour, double apart) {
        return std::none_of(colours.begin(), colours.end(), [&](const std::string& taken) {
            return !taken.empty() && distance(taken, colour) < apart;
        });
    };
    constexpr double clearly = 85.0, at_all = 1.0;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const std::string known = concept_colour(names[i]); !known.empty() && is_free(known, clearly))
            colours[i] = known;
    for (std::string& colour : colours) {
        for (const double apart : {clearly, at_all})
            for (const std::string_view other : others)
                if (colour.empty() && is_free(other, apart)) colour = other;
        if (colour.empty()) colour = "#8c99a6";
    }
    return colours;
}

}  // namespace tfs
