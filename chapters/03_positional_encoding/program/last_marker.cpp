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

// What each head attends to in one text, and what it should.
HeatMapFigure markers_figure(const std::vector<Finder>& finders) {
    const std::size_t seq = mapped_text.size();
    Array wanted = xt::zeros<float>({seq, seq});
    const std::vector<std::size_t> markers = last_markers(mapped_text);
    for (std::size_t i = 0; i < seq; ++i) wanted(i, markers[i]) = 1.0f;
    HeatMapFigure figure{.name = "markers",
                         .title = "Which # is the last one? A head without positions can't tell, others can",
                         .panels = {marker_panel("what it should look at", wanted)},
                         .panels_per_row = 3,
                         .caption =
                             "Each row must look at the last # up to itself. The other five maps are trained "
                             "heads, with the rows "
                             "whose largest weight is there. Grey: hidden by a causal mask."};
    for (const Finder& finder : finders) {
        const Array map = map_of(finder, mapped_text);
        figure.panels.push_back(marker_panel(fmt::format("{}: {}", finder.name(), rows_found(map)), map));
    }
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
    LinePanel panel{.title = "",
                    .x_axis = "length of the text (dashed: the trained length)",
                    .y_axis = "queries that find the marker, %",
                    .log_x = true,
                    .from_zero = true,
                    .limits = {{.from = Finder::trained_length, .on_x = true}}};
    for (const std::string name : {"none", "sinusoids", "rotary", "ALiBi"})
        panel.series.push_back(series(found, "length", name));
    panel.series.front().hue = Hue::without;
    panel.series.push_back(series(found, "length", "learned"));  // drawn last, on top
    panel.series.back().name_at = Finder::trained_length;        // where it ends
    return {.name = "lengths",
            .title = "Past the trained length this head finds less, except with ALiBi",
            .panels = {panel},
            .panels_per_row = 1,
            .caption = "Learned rows end at the trained length. Near 100 % the curves cover each other."};
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
