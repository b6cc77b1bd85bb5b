// common/figures/bars.cpp · stacked bars, each part with its number and its share
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/figures/drawing.hpp"
#include "common/text/units.hpp"

namespace tfs {

namespace {

constexpr double bar_row = 34.0, bar_height = 22.0, widest_bar_label = 230.0;
constexpr double room_of_share = 38.0;  // the width of "12 %"

// "109.48 M", "12", "0.25"; a tick's "50.00 M" is "50 M".
std::string amount(double value, bool of_tick = false) {
    std::string text = value >= 1000.0 ? in_flops(value) : short_number(value);
    if (const std::size_t zeros = text.find(".00 "); of_tick && zeros != std::string::npos)
        text.erase(zeros, 3);
    return text;
}

struct BarLayout {
    double labels = 0.0, totals = 0.0;  // the room on both sides of the bars
    Grid grid;
};

BarLayout lay_out(const BarFigure& figure) {
    BarLayout layout{.grid = grid_of(figure.panels.size(), figure.panels_per_row)};
    std::size_t most = 1;
    for (const BarPanel& panel : figure.panels) {
        most = std::max(most, panel.bars.size());
        for (const Bar& bar : panel.bars) {
            layout.labels =
                std::max(layout.labels, 10.0 + std::min(widest_bar_label, text_width(bar.label, 13.0)));
            layout.totals = std::max(layout.totals, 12.0 + text_width(amount(total(bar)), 13.0));
        }
    }
    layout.grid.height = panel_title_room + axis_below + bar_row * static_cast<double>(most);
    return layout;
}

// Whether any bar shows so much of a part that a legend may name it.
bool can_be_seen(const BarFigure& figure, const std::string& part) {
    constexpr double share = 0.004;  // of the panel's longest bar: two pixels
    for (const BarPanel& panel : figure.panels) {
        double longest = 0.0;
        for (const Bar& bar : panel.bars) longest = std::max(longest, total(bar));
        for (std::size_t p = 0; p < panel.parts.size(); ++p)
            for (const Bar& bar : panel.bars)
                if (panel.parts[p].name == part &&
                    bar.values[p] > share * (panel.share ? total(bar) : longest))
                    return true;
    }
    return false;
}

// A bar's parts from the left, each with a title; where there is room its share is written into it,
// unless it is the whole bar.
void draw_bar(Canvas& canvas, const BarPanel& panel, const Bar& bar, const Axis& x, double top,
              const Names& names, const std::vector<std::string>& colours) {
    const double sum = total(bar), scale = panel.share && sum > 0.0 ? 100.0 / sum : 1.0;
    double from = 0.0;
    for (std::size_t p = 0; p < panel.parts.size(); ++p) {
        const double value = bar.values[p], to = from + scale * value;
        if (value == 0.0) continue;
        const Box box{x(from), top, std::max(0.4, x(to) - x(from) - 1.0), bar_height};
        const std::string share = fmt::format("{:.0f} %", 100.0 * value / sum);
        const std::string &name = panel.parts[p].name, &colour = colours[names[name]];
        canvas.rectangle(box, colour, 1.5, "bar", {{"part", name}},
                         fmt::format("{}: {} {}, {}", bar.label, name, amount(value), share));
        if (value < sum && box.width >= room_of_share)
            canvas.text({box.middle().x, box.middle().y + 3.8}, share,
                        {.anchor = Anchor::middle, .classes = is_dark(colour) ? "light bold" : "black bold"});
        from = to;
    }
    const bool shares_of_one = panel.share && std::abs(sum - 1.0) < 1e-6;  // "1" would say nothing
    if (!shares_of_one) canvas.text({x(from) + 7.0, top + bar_height / 2 + 4.0}, amount(sum));
}

void draw_panel(Canvas& canvas, const BarPanel& panel, const Box& place, const BarLayout& layout,
                const Names& names, const std::vector<std::string>& colours) {
    std::vector<double> ends{0.0};
    for (const Bar& bar : panel.bars) ends.push_back(panel.share ? 100.0 : total(bar));
    const double left = place.left + layout.labels,
                 bottom = place.top + panel_title_room + bar_row * static_cast<double>(panel.bars.size());
    const Axis x(ends, left, place.right() - layout.totals, false);
    canvas.open("bars");
    draw_panel_title(canvas, {place.left, place.top}, panel.title, place.width);
    for (const Tick& tick : x.ticks()) {
        canvas.path({{x(tick.value), place.top + panel_title_room - 4.0}, {x(tick.value), bottom}}, faint);
        canvas.text({x(tick.value), bottom + 14.0},
                    panel.share ? tick.label + " %" : amount(tick.value, true),
                    {.anchor = Anchor::middle, .classes = "axis"});
    }
    canvas.text({(left + place.right() - layout.totals) / 2, bottom + 32.0}, panel.value_axis,
                {.anchor = Anchor::middle, .classes = "axis"});
    for (std::size_t i = 0; i < panel.bars.size(); ++i) {
        const double top =
            place.top + panel_title_room + bar_row * static_cast<double>(i) + (bar_row - bar_height) / 2;
        canvas.text({left - 8.0, top + bar_height / 2 + 4.0},
                    fitted(panel.bars[i].label, 13.0, widest_bar_label), {.anchor = Anchor::end});
        draw_bar(canvas, panel, panel.bars[i], x, top, names, colours);
    }
    canvas.close();
}

}  // namespace

std::string drawn(const BarFigure& figure) {
    Canvas canvas;
    BarLayout layout = lay_out(figure);
    Names names;
    for (const BarPanel& panel : figure.panels)
        for (const BarPart& part : panel.parts) names.add(part.name, part.hue);
    const std::vector<std::string> colours = colours_of(names.hues);
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < colours.size(); ++i)
        if (can_be_seen(figure, names.names[i])) entries.push_back({names.names[i], colours[i]});
    layout.grid.top = draw_head(canvas, figure.title, entries);
    for (std::size_t p = 0; p < figure.panels.size(); ++p)
        draw_panel(canvas, figure.panels[p], layout.grid.place(p), layout, names, colours);
    return canvas.document(figure_width, layout.grid.figure_height(), figure.title);
}

}  // namespace tfs
