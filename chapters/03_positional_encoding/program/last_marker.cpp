// chapters/03_positional_encoding/program/last_marker.cpp · the heads that find the last marker: their maps, and longer texts
#include <fmt/format.h>

#include "chapters/03_positional_encoding/program/marker_finder.hpp"
#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

const std::vector<std::int64_t> mapped_text{0, 1, 2, 0, 3, 4, 5, 0, 6};

// "9 of 9 right": the rows of the map whose largest weight is on the last marker up to their query.
std::string rows_found(const Array& map) {
    std::size_t found = 0;
    const std::size_t seq = mapped_text.size();
    const std::vector<std::size_t> wanted = last_markers(mapped_text);
    for (std::size_t i = 0; i < seq; ++i) found += is_largest({map.data() + i * seq, seq}, wanted[i]);
    return fmt::format("{} of {} right", found, seq);
}

HeatMapPanel marker_panel(const std::string& name, const Array& map) {
    HeatMapPanel panel{name, map};
    for (const std::int64_t id : mapped_text)
        panel.rows.push_back(id == 0 ? "#" : std::string(1, static_cast<char>('a' + id - 1)));
    panel.columns = panel.rows;
    panel.allowed = causal_square(mapped_text.size());
    return panel;
}

// What a head should attend to in one text, and what two of them do.
HeatMapFigure markers_figure(const std::vector<Finder>& finders) {
    const std::size_t seq = mapped_text.size();
    Array wanted = xt::zeros<float>({seq, seq});
    const std::vector<std::size_t> markers = last_markers(mapped_text);
    for (std::size_t i = 0; i < seq; ++i) wanted(i, markers[i]) = 1.0f;
    HeatMapFigure figure{.name = "markers",
                         .title = "Which # is the last one? Without positions a head can't tell",
                         .panels = {marker_panel("where to look: the last #", wanted)},
                         .panels_per_row = 3,
                         .caption =
                             "Each row must look at the last # up to itself. The other two maps are trained "
                             "heads; a row is right if its largest weight is there. Grey: hidden by a causal "
                             "mask."};
    for (const Finder& finder : finders) {
        if (finder.kind != Finder::Kind::none && finder.kind != Finder::Kind::rotary) continue;
        const Array map = map_of(finder, mapped_text);
        const std::string name = finder.kind == Finder::Kind::none ? "no positions" : finder.name();
        figure.panels.push_back(marker_panel(fmt::format("{}: {}", name, rows_found(map)), map));
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
                    .x_axis = fmt::format("length of the text (trained: {})", Finder::trained_length),
                    .y_axis = "queries that find the marker, %",
                    .log_x = true,
                    .from_zero = true};
    for (const std::string name : {"none", "sinusoids", "rotary", "ALiBi"}) {
        const Series all = series(found, "length", name);
        Series& longer = panel.series.emplace_back(Series{.name = name});
        for (std::size_t i = 0; i < all.x.size(); ++i)
            if (all.x[i] >= Finder::trained_length) longer.add(all.x[i], all.y[i]);
    }
    panel.series.front().name = "no positions";
    panel.series.front().hue = Hue::without;
    return {.name = "lengths",
            .title = "Past the trained length this head finds less, except with ALiBi",
            .panels = {panel},
            .panels_per_row = 1,
            .caption = "Learned rows have no curve: they end at the trained length."};
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
