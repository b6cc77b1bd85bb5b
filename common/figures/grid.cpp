// common/figures/grid.cpp · the title, the legend and the panels of a figure
#include <algorithm>

#include "common/figures/drawing.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

Box Grid::place(std::size_t index) const {
    const auto across = static_cast<double>(index % per_row), down = static_cast<double>(index / per_row);
    return {left + across * (width + gap), top + down * (height + gap), width, height};
}

double Grid::figure_height() const { return place(panels - 1).bottom() + margin; }

namespace {
std::vector<std::string> title_lines(const std::string& title) { return wrap(title, 78); }
}  // namespace

double draw_title(Canvas& canvas, const std::string& title) {
    if (title.empty()) return margin;
    double y = margin + 12.0;
    for (const std::string& line : title_lines(title)) {
        canvas.text({margin, y}, line, {.classes = "title"});
        y += 22.0;
    }
    return y;
}

double title_width(const std::string& title) {
    double width = 0.0;
    // 17 pixels, and bold letters are wider.
    for (const std::string& line : title_lines(title)) width = std::max(width, text_width(line, 19.0));
    return std::min(figure_width, width + 2 * margin);
}

double draw_legend(Canvas& canvas, const std::vector<LegendEntry>& entries, double top, double full_width) {
    constexpr double row = 19.0, longest = 300.0;
    double x = margin, y = top + 6.0;
    for (const LegendEntry& entry : entries) {
        const double mark = entry.line ? 24.0 : 12.0;
        const std::string name = fitted(entry.name, 13.0, longest);
        const double width = mark + 7.0 + text_width(name, 13.0) + 20.0;
        if (x > margin && x + width > full_width - margin) x = margin, y += row;
        canvas.open("key", {{"series", entry.name}});
        if (entry.line) {
            canvas.path({{x, y}, {x + mark, y}},
                        {.colour = entry.colour, .width = 2.4, .dashes = entry.dashes});
        } else {
            canvas.rectangle({x, y - 6.0, mark, mark}, entry.colour, 2.0);
        }
        canvas.text({x + mark + 7.0, y + 4.0}, name);
        canvas.close();
        x += width;
    }
    return y + row - 2.0;
}

void Names::add(const std::string& name, Hue hue) {
    if ((*this)[name] < names.size()) return;
    names.push_back(name);
    hues.push_back(hue);
}

std::size_t Names::operator[](const std::string& name) const {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace tfs
