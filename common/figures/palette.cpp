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

// From paper to dark; the same from blue over paper to brown.
constexpr std::array<Rgb, 3> one_hue{Rgb{247, 250, 253}, {114, 147, 184}, {8, 62, 124}};
constexpr std::array<Rgb, 5> two_hues{
    Rgb{24, 72, 130}, {132, 165, 205}, {248, 248, 246}, {224, 156, 118}, {150, 58, 20}};

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
    if (scale == ColourScale::yes_no) return place > 0.5 ? Rgb{79, 119, 166} : Rgb{207, 210, 213};
    return between(one_hue, place);
}

// All of one luminance, about: each has a contrast of 3 : 1 on white paper and on the dark one (tests/common/figure_rules_test.cpp).
struct Concept {
    Hue hue;
    std::string_view colour;
};
constexpr Concept concepts[] = {{Hue::attention, "#d9730d"}, {Hue::feed_forward, "#2f74b5"},
                                {Hue::norm, "#938000"},      {Hue::residual, "#6f7c8a"},
                                {Hue::embedding, "#0c8f63"}, {Hue::positions, "#0e8fa8"},
                                {Hue::output, "#a1478c"},    {Hue::query, "#c8501e"},
                                {Hue::key, "#2f74b5"},       {Hue::value, "#2e8b47"},
                                {Hue::encoder, "#14897d"},   {Hue::decoder, "#bf4f22"},
                                {Hue::cross, "#c255a0"},     {Hue::encoder_decoder, "#7d5fc9"},
                                {Hue::training, "#2f74b5"},  {Hue::held_out, "#d9730d"},
                                {Hue::with, "#1f70c1"},      {Hue::without, "#848b94"},
                                {Hue::pre_norm, "#1f70c1"},  {Hue::post_norm, "#d55e00"}};

// In the manner of Okabe and Ito 2008: colours that colour-blind eyes tell apart.
constexpr std::array<std::string_view, 7> others{"#1f70c1", "#d55e00", "#0c8f63", "#c255a0",
                                                 "#938000", "#7d5fc9", "#6f7c8a"};

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

// Linear light, 0 … 1, of the three parts.
Rgb linear(const Rgb& colour) {
    Rgb light{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double part = colour[i] / 255.0;
        light[i] = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    }
    return light;
}

// CIE L*a*b* of linear light, D65.
Rgb lab(const Rgb& light) {
    const auto [r, g, b] = light;
    const auto root = [](double t) {
        return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
    };
    const double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
                 y = root(0.2126 * r + 0.7152 * g + 0.0722 * b),
                 z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

// How eyes without some of the cones see it.
Rgb seen_without(const Rgb& light, double red, double blue) {
    const double yellow = red * light[0] + (1.0 - red) * light[1];
    return {yellow, yellow, light[2] + blue * (light[0] - light[1])};
}

}  // namespace

std::vector<std::size_t> rows_of(const HeatMapPanel& panel) {
    if (!panel.meant.empty()) return panel.meant;
    std::vector<std::size_t> rows(panel.values.shape()[0]);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    return rows;
}

ColourRange colour_range(const HeatMapFigure& figure, std::size_t panel) {
    const ColourScale scale = figure.panels[panel].scale;
    if (scale == ColourScale::yes_no) return {0.0, 1.0};
    double low = INFINITY, high = -INFINITY;
    for (const HeatMapPanel& one : figure.panels) {
        if (one.scale != scale) continue;
        const std::size_t columns = one.values.shape()[1];
        for (const std::size_t row : rows_of(one)) {
            for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
                const double value = one.values.data()[i];
                if (!std::isfinite(value) || (one.allowed && !one.allowed->data()[i])) continue;
                low = std::min(low, value);
                high = std::max(high, value);
            }
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

// White on it has the greater contrast, (1 + 0.05) / (luminance + 0.05) against (luminance + 0.05) / 0.05 (WCAG 2.1).
bool is_dark(std::string_view colour) {
    const auto [r, g, b] = linear(rgb_of(colour));
    const double luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    return 1.05 * 0.05 > (luminance + 0.05) * (luminance + 0.05);
}

bool look_alike(std::string_view one, std::string_view other) {
    constexpr double apart = 12.0;  // of L*a*b*: five times what eyes just notice in colours side by side
    const Rgb a = linear(rgb_of(one)), b = linear(rgb_of(other));
    const auto near = [](const Rgb& left, const Rgb& right) {
        const Rgb l = lab(left), r = lab(right);
        return std::hypot(l[0] - r[0], l[1] - r[1], l[2] - r[2]) < apart;
    };
    const auto near_without = [&](double red, double blue) {
        return near(seen_without(a, red, blue), seen_without(b, red, blue));
    };
    return near(a, b) || near_without(0.11238, 0.00401) ||
           near_without(0.29275, -0.02234);  // red cones, green ones
}

std::string colour_of(Hue hue) { return colours_of({hue})[0]; }

std::vector<std::string> colours_of(const std::vector<Hue>& hues) {
    std::vector<std::string> colours(hues.size());
    for (std::size_t i = 0; i < hues.size(); ++i)
        for (const Concept& one : concepts)
            if (one.hue == hues[i]) colours[i] = one.colour;
    for (std::string& colour : colours) {
        if (!colour.empty()) continue;
        const auto is_free = [&](std::string_view one, bool to_all_eyes) {
            return std::none_of(colours.begin(), colours.end(), [&](const std::string& taken) {
                return taken == one || (to_all_eyes && !taken.empty() && look_alike(taken, one));
            });
        };
        for (const bool to_all_eyes : {true, false})
            for (const std::string_view one : others)
                if (colour.empty() && is_free(one, to_all_eyes)) colour = one;
        if (colour.empty()) colour = others.back();
    }
    return colours;
}

}  // namespace tfs
