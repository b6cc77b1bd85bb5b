// chapters/03_positional_encoding/program/last_marker.cpp · the heads that find the last marker: their maps, and longer texts
#include <fmt/format.h>

#include "chapters/03_positional_encoding/program/marker_finder.hpp"
#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

const std::vector<std::int64_t> mapped_text{0, 1, 0, 2, 3, 4, 0, 5, 6, 7, 0, 1};

// "12 of 12": the rows of the map whose largest weight is on the last marker up to their query.
std::string rows_found(const Array& map) {
    std::size_t found = 0;
    const std::size_t seq = mapped_text.size();
    const std::vector<std::size_t> wanted = last_markers(mapped_text);
    for (std::size_t i = 0; i < seq; ++i) found += is_largest({map.data() + i * seq, seq}, wanted[i]);
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

// What each head attends to in one text.
HeatMapFigure markers_figure(const std::vector<Finder>& finders) {
    HeatMapFigure figure{
        .name = "markers", .title = "One trained head looks for the last marker, #", .panels_per_row = 3};
    std::string found;
    for (const Finder& finder : finders) {
        const Array map = map_of(finder, mapped_text);
        figure.panels.push_back(marker_panel(finder.name(), map));
        found += fmt::format("{}{} {}", found.empty() ? "" : ", ", finder.name(), rows_found(map));
    }
    figure.caption = fmt::format(
        "Each query must look at the last # up to itself. Without positions (none) all # look alike and "
        "share the weight. Rows whose largest weight is on the last #: {}. ALiBi is less sharp because its "
        "penalty is fixed. A causal mask hides the grey cells in all maps.",
        found);
    return figure;
}

// Asks each head at its trained length and at others.
Table found_at_lengths(const std::vector<Finder>& finders) {
    Table table{
        .title = fmt::format("queries whose largest weight is on the last marker, % (trained at length {})",
                             Finder::trained_length),
        .columns = {{"length", whole()}}};
    for (const Finder& finder : finders) table.columns.push_back({finder.name(), fixed(1)});
    for (std::size_t length = 16; length <= Finder::longest; length *= 2) {
        std::vector<Cell> row{length};
        for (const Finder& finder : finders) {
            const bool refuses = finder.learned && length > Finder::trained_length;
            row.emplace_back(refuses ? Cell("refuses") : Cell(100.0 * share_found(finder, length)));
        }
        table.add(row);
    }
    return table;
}

LineFigure lengths_figure(const Table& found) {
    LinePanel panel{"finds the last marker", "length of the text", "share of queries, %", true, false};
    panel.from_zero = true;
    for (const std::string name : {"none", "sinusoids", "rotary", "ALiBi"})
        panel.series.push_back(series(found, "length", name));
    panel.series.push_back(  // drawn last, on top
        series(found, "length", "learned", fmt::format("learned (ends at {})", Finder::trained_length)));
    return {
        .name = "lengths",
        .title = fmt::format("Trained at length {}, asked at others", Finder::trained_length),
        .panels = {panel},
        .panels_per_row = 1,
        .caption = fmt::format("Up to the trained length of {} all four ways find the last marker. On "
                               "longer texts this head finds fewer with sinusoids and rotary positions, "
                               "and all with ALiBi; learned rows end. Near 100 % curves cover each other.",
                               Finder::trained_length)};
}

Report show_last_marker(const Request& request) {
    const std::vector<Finder> finders = fitted_finders(request);
    const Table found = found_at_lengths(finders);
    Report report;
    report.add(markers_figure(finders));
    report.add(found);
    report.add(lengths_figure(found));
    return report;
}

}  // namespace

Section last_marker() {
    return {.id = "last-marker",
            .title = "One trained head looks for the last marker (digits differ between machines)",
            .options = {options::seed},
            .run = show_last_marker};
}

}  // namespace tfs
