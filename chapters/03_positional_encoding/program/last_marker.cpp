// chapters/03_positional_encoding/program/last_marker.cpp · the heads that find the last marker: their maps, and longer texts
#include <fmt/format.h>

#include "chapters/03_positional_encoding/models/marker_finder.hpp"
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

// What the heads find at the trained length and at others, in %: a table for each of the two measures.
struct Lengths {
    Table largest, weight;
};

Lengths found_at_lengths(const std::vector<Finder>& finders) {
    std::vector<Column> columns{{"length", whole()}};
    for (const Finder& finder : finders) columns.push_back({finder.name(), fixed(1)});
    Lengths tables{
        .largest = {.title = "queries whose largest weight is on the right marker, %", .columns = columns},
        .weight = {.title = "mean weight on the right marker, %", .columns = columns}};
    for (std::size_t length = Finder::trained_length; length <= Finder::longest; length *= 2) {
        std::vector<Cell> largest{length}, weight{length};
        for (const Finder& finder : finders) {
            if (finder.learned && length > Finder::trained_length) {
                largest.emplace_back("refuses"), weight.emplace_back("refuses");
                continue;
            }
            const Found found = found_by(finder, length);
            largest.emplace_back(100.0 * found.largest), weight.emplace_back(100.0 * found.weight);
        }
        tables.largest.add(largest), tables.weight.add(weight);
    }
    return tables;
}

LinePanel lengths_panel(const std::string& title, const std::string& axis, const Table& found) {
    LinePanel panel{.title = title,
                    .x_axis = fmt::format("length of the text (trained: {})", Finder::trained_length),
                    .y_axis = axis,
                    .log_x = true,
                    .from_zero = true};
    for (const std::string name : {"none", "sinusoids", "rotary", "ALiBi"})
        panel.series.push_back(series(found, "length", name));
    panel.series.front().name = "no positions";
    panel.series.front().hue = Hue::without;
    panel.series.back().name = "ALiBi, slope 1/2";
    return panel;
}

LineFigure lengths_figure(const Table& largest, const Table& weight) {
    return {.name = "lengths",
            .title = "The same heads by two measures: ALiBi is ahead by one, rotary by the other",
            .panels = {lengths_panel("largest weight on the right #", "queries, %", largest),
                       lengths_panel("mean weight on the right #", "weight, %", weight)},
            .caption = "Heads of one seed. Learned rows have no curve: they end at the trained length."};
}

// A finder of each kind, from one seed.
std::vector<Finder> fitted_finders(const Request& request) {
    std::vector<Finder> finders;
    for (const Finder::Kind kind : Finder::kinds) {
        const std::string name = Finder::names.at(static_cast<std::size_t>(kind));
        finders.push_back(fitted_finder(kind, request[options::seed], [&](std::size_t step) {
            if (step % 50 == 0)
                request.tell({"progress",
                              fmt::format("{}: step {} of {}", name, step, Finder::steps),
                              {{"step", static_cast<double>(step)}}});
        }));
    }
    return finders;
}

Report show_last_marker(const Request& request) {
    const std::vector<Finder> finders = fitted_finders(request);
    const auto [largest, weight] = found_at_lengths(finders);
    Report report;
    report.add(markers_figure(finders));
    report.note(
        fmt::format("Trained at length {}. The slope of the ALiBi head is 1/2.", Finder::trained_length));
    report.add(largest);
    report.add(weight);
    report.add(lengths_figure(largest, weight));
    return report;
}

}  // namespace

Sections last_marker_sections() {
    return {{"last-marker",
             "One trained head looks for the last marker (digits differ between machines)",
             show_last_marker,
             {options::seed}}};
}

}  // namespace tfs
