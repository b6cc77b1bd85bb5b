// common/report/map.cpp · a heat map with numbers, in the terminal
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "common/base/array.hpp"
#include "common/report/sinks.hpp"
#include "common/terminal/display.hpp"

namespace tfs {
namespace {

constexpr std::size_t longest_label = 14;

struct Colour {
    int background, text;
};

// 256-colour codes near viridis, and blue-white-red, each with a text colour that can be read on it.
constexpr std::array<Colour, 9> sequential_colours = {
    {{53, 231}, {54, 231}, {60, 231}, {24, 231}, {30, 231}, {36, 16}, {71, 16}, {149, 16}, {227, 16}}};
constexpr std::array<Colour, 9> diverging_colours = {
    {{25, 231}, {68, 16}, {110, 16}, {153, 16}, {231, 16}, {223, 16}, {216, 16}, {173, 16}, {124, 231}}};

constexpr std::array<const char*, 5> blocks = {" ", "░", "▒", "▓", "█"};
constexpr std::array<const char*, 5> ascii_shades = {" ", ".", ":", "+", "#"};

// The map and how it is laid out.
struct Layout {
    const Array& values;
    const MapText& text;
    Terminal style;
    std::vector<std::string> rows, columns;
    double low = 0.0, high = 1.0;  // the range of the shades
    std::size_t label_width = 0, number_width = 4, cell_width = 6, columns_per_group = 1;

    std::size_t row_count() const { return values.shape()[0]; }
    std::size_t column_count() const { return values.shape()[1]; }
    double value(std::size_t i, std::size_t j) const { return values.data()[i * column_count() + j]; }
    bool allowed(std::size_t i, std::size_t j) const {
        return !text.allowed || text.allowed->data()[i * column_count() + j];
    }
};

// The tokens, or their numbers where there are none. A token that ASCII can't show becomes "#3".
std::vector<std::string> labels_of(const std::vector<std::string>& tokens, std::size_t count, bool ascii) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < count; ++i) {
        if (tokens.empty()) {
            labels.push_back(std::to_string(i));
        } else {
            labels.push_back(ascii && !is_ascii(tokens[i]) ? fmt::format("#{}", i) : harmless(tokens[i]));
        }
    }
    return labels;
}

std::size_t widest(const std::vector<std::string>& labels) {
    std::size_t width = 1;
    for (const std::string& label : labels) width = std::max(width, display_width(label));
    return std::min(width, longest_label);
}

std::string rounded(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "+inf" : "-inf";
    return std::abs(value) < 0.005 ? "0.00" : fmt::format("{:.2f}", value);
}

void require_fit(const Array& values, const MapText& text) {
    const Shape shape = shape_of(values);
    if (shape.size() != 2)
        throw ShapeError("heat map: the values must have two axes, not the shape " + to_string(shape));
    const auto labels_fit = [](std::size_t labels, std::size_t size) {
        return labels == 0 || labels == size;
    };
    if (!labels_fit(text.rows.size(), shape[0]) || !labels_fit(text.columns.size(), shape[1])) {
        throw ShapeError(fmt::format("heat map: {} row and {} column labels for values of shape {}",
                                     text.rows.size(), text.columns.size(), to_string(shape)));
    }
    if (text.allowed && shape_of(*text.allowed) != shape) {
        throw ShapeError(fmt::format("heat map: a mask of shape {} for values of shape {}",
                                     to_string(shape_of(*text.allowed)), to_string(shape)));
    }
}

constexpr std::size_t statistics_width = 24;

// The range of the allowed, finite values, widened to hold 0; symmetric around 0 where some are negative.
void find_range(Layout& layout) {
    layout.low = layout.high = 0.0;
    for (std::size_t i = 0; i < layout.row_count(); ++i) {
        for (std::size_t j = 0; j < layout.column_count(); ++j) {
            if (!layout.allowed(i, j)) continue;
            const double value = layout.value(i, j);
            layout.number_width = std::max(layout.number_width, rounded(value).size());
            if (!std::isfinite(value)) continue;
            layout.low = std::min(layout.low, value);
            layout.high = std::max(layout.high, value);
        }
    }
    if (layout.low < 0.0) {
        layout.high = std::max(layout.high, -layout.low);
        layout.low = -layout.high;
    }
}

Layout lay_out(const Array& values, const MapText& text, Terminal style) {
    Layout layout{values, text, style, {}, {}};
    layout.rows = labels_of(text.rows, layout.row_count(), style.ascii);
    layout.columns = labels_of(text.columns, layout.column_count(), style.ascii);
    find_range(layout);
    layout.label_width = widest(layout.rows);
    const std::size_t room = screen_columns - 2 - layout.label_width - 1 - statistics_width;

    // A cell is a shade, a number and a space. It grows with the longest label as long as all columns fit.
    const std::size_t smallest = layout.number_width + 2;
    const std::size_t fitting = room / std::max<std::size_t>(1, layout.column_count());
    layout.cell_width = std::max(smallest, std::min(fitting, widest(layout.columns) + 1));
    layout.columns_per_group = std::max<std::size_t>(1, room / layout.cell_width);
    return layout;
}

std::string cell(const Layout& layout, std::size_t i, std::size_t j) {
    const std::size_t width = layout.cell_width - 1;
    if (!layout.allowed(i, j)) return pad(layout.style.ascii ? "--" : "··", width, Align::right) + " ";

    const double value = layout.value(i, j);
    const std::string digits = rounded(value);
    if (!std::isfinite(value)) return pad(digits, width, Align::right) + " ";
    const double span = layout.high - layout.low;
    const double level = span > 0.0 ? (value - layout.low) / span : 0.0;
    if (layout.style.colour) {
        const auto& colours = layout.low < 0.0 ? diverging_colours : sequential_colours;
        const Colour colour = colours[static_cast<std::size_t>(std::lround(level * 8.0))];
        return fmt::format("\x1b[48;5;{}m\x1b[38;5;{}m{} \x1b[0m", colour.background, colour.text,
                           pad(digits, width, Align::right));
    }
    const auto& shades = layout.style.ascii ? ascii_shades : blocks;
    const char* shade = shades[static_cast<std::size_t>(std::lround(level * 4.0))];
    return pad(std::string(shade) + digits, width, Align::right) + " ";
}

// "1.00  1.73": the sum and the entropy of a row of weights. No entropy where a number is negative.
std::string statistics(const Layout& layout, std::size_t i) {
    double sum = 0.0;
    double entropy = 0.0;
    bool weights = true;
    for (std::size_t j = 0; j < layout.column_count(); ++j) {
        if (!layout.allowed(i, j)) continue;
        const double value = layout.value(i, j);
        sum += value;
        if (value > 0.0) entropy -= value * std::log(value);
        weights = weights && value >= 0.0;
    }
    const bool any = weights && sum > 0.0;
    return fmt::format("  {:>6}  {:>14}", rounded(sum), any ? rounded(entropy) : "-");
}

void print_group(std::ostream& out, const Layout& layout, std::size_t begin, std::size_t end) {
    const char* ellipsis = layout.style.ascii ? "~" : "…";
    const bool last = end == layout.column_count();
    if (begin > 0 || !last) {
        out << fmt::format("  {}s {} to {} of {}\n", layout.text.column_axis, begin, end - 1,
                           layout.column_count());
    }
    out << std::string(2 + layout.label_width + 1, ' ');
    for (std::size_t j = begin; j < end; ++j) {
        out << pad(truncate(layout.columns[j], layout.cell_width - 1, ellipsis), layout.cell_width - 1,
                   Align::right)
            << ' ';
    }
    out << (last ? "     sum  entropy (nats)" : "") << '\n';
    for (std::size_t i = 0; i < layout.row_count(); ++i) {
        out << "  " << pad(truncate(layout.rows[i], layout.label_width, ellipsis), layout.label_width) << ' ';
        for (std::size_t j = begin; j < end; ++j) out << cell(layout, i, j);
        out << (last ? statistics(layout, i) : "") << '\n';
    }
}

}  // namespace

void print_map(std::ostream& out, const Array& values, const MapText& text, Terminal style) {
    require_fit(values, text);
    const Layout layout = lay_out(values, text, style);
    const std::string title = style.ascii ? to_ascii(harmless(text.title)) : harmless(text.title);
    if (!title.empty()) out << "  " << truncate(title, screen_columns - 2, style.ascii ? "~" : "…") << '\n';
    out << fmt::format("  {} (down) / {} (right)\n", text.row_axis, text.column_axis);

    for (std::size_t begin = 0; begin < layout.column_count(); begin += layout.columns_per_group) {
        print_group(out, layout, begin, std::min(begin + layout.columns_per_group, layout.column_count()));
    }
    std::string legend = fmt::format("  shades from {} to {}", rounded(layout.low), rounded(layout.high));
    const bool any_masked =
        text.allowed &&
        std::count(text.allowed->data(), text.allowed->data() + text.allowed->size(), false) > 0;
    if (any_masked) legend += fmt::format("; {} is masked, not 0", style.ascii ? "--" : "··");
    out << legend << '\n';
}

}  // namespace tfs
