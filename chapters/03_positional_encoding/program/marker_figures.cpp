// chapters/03_positional_encoding/program/marker_figures.cpp · the heads that find the last marker: their maps, and longer texts
#include <fmt/ostream.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chapters/03_positional_encoding/program/marker_finder.hpp"
#include "chapters/03_positional_encoding/program/positioned_attention.hpp"
#include "chapters/03_positional_encoding/program/sections.hpp"

namespace tfs {

namespace {

const std::vector<std::int64_t> mapped_text{0, 1, 0, 2, 3, 4, 0, 5, 6, 7, 0, 1};

// "12 of 12": the rows of the map whose largest weight is on the last marker up to their query.
std::string rows_found(const Array& map) {
    std::size_t found = 0, last = 0;
    const std::size_t seq = mapped_text.size();
    for (std::size_t i = 0; i < seq; ++i) {
        if (mapped_text[i] == 0) last = i;
        found += Finder::is_largest({map.data() + i * seq, seq}, last);
    }
    return fmt::format("{} of {}", found, seq);
}

HeatMapPanel marker_panel(const std::string& name, const Array& map) {
    HeatMapPanel panel{name, map};
    for (const std::int64_t id : mapped_text)
        panel.rows.push_back(id == 0 ? "#" : std::string(1, static_cast<char>('a' + id - 1)));
    panel.columns = panel.rows;
    panel.allowed = causal_square(mapped_text.size());
    return panel;
}

}  // namespace

HeatMapFigure markers_figure(const std::vector<Finder>& finders) {
    HeatMapFigure figure{
        .name = "markers", .title = "One trained head looks for the last marker, #", .panels_per_row = 3};
    std::string found;
    for (const Finder& finder : finders) {
        const Array map = finder.map_of(mapped_text);
        const std::string name = Finder::name_of(finder.kind());
        figure.panels.push_back(marker_panel(name, map));
        found += fmt::format("{}{} {}", found.empty() ? "" : ", ", name, rows_found(map));
    }
    figure.caption = fmt::format(
        "Each query must look at the last # up to itself. Without positions (none) all # look alike and "
        "share the weight. Rows whose largest weight is on the last #: {}. ALiBi is less sharp because its "
        "penalty is fixed. A causal mask hides the grey cells in all maps.",
        found);
    return figure;
}

LineFigure measure_lengths(Show& show, const std::vector<Finder>& finders) {
    LinePanel panel{"finds the last marker", "length of the text", "share of queries, %", true, false};
    panel.from_zero = true;
    show.out << "  queries whose largest weight is on the last marker, % (trained at length 32)\n\n";
    fmt::print(show.out, "  {:<12}", "length");
    for (const std::size_t length : Finder::lengths) fmt::print(show.out, " {:>8}", length);
    show.out << '\n';
    for (const Finder& finder : finders) {
        const bool ends = finder.kind() == Finder::Kind::learned;
        const std::string name = Finder::name_of(finder.kind());
        Series series{ends ? fmt::format("learned (ends at {})", Finder::trained_length) : name};
        fmt::print(show.out, "  {:<12}", name);
        for (const std::size_t length : Finder::lengths) {
            if (ends && length > Finder::trained_length) {
                fmt::print(show.out, " {:>8}", "refuses");
                continue;
            }
            series.add(static_cast<double>(length), 100.0 * finder.share_found(length));
            fmt::print(show.out, " {:>8.1f}", series.y.back());
        }
        show.out << '\n';
        panel.series.push_back(std::move(series));
    }
    std::rotate(panel.series.begin() + 2, panel.series.begin() + 3, panel.series.end());  // "learned" on top
    return {.name = "lengths",
            .title = fmt::format("Trained at length {}, asked at others", Finder::trained_length),
            .panels = {panel},
            .panels_per_row = 1,
            .caption = fmt::format("Up to the trained length of {} all four ways find the last marker. On "
                                   "longer texts this head finds "
                                   "fewer with sinusoids and rotary positions, and all with ALiBi; learned "
                                   "rows end. Near 100 % curves "
                                   "cover each other.",
                                   Finder::trained_length)};
}

}  // namespace tfs
