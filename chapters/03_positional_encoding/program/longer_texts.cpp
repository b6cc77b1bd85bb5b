// chapters/03_positional_encoding/program/longer_texts.cpp · heads that find the last marker: their maps, longer texts, other frequencies
//
// Run it: ./tutorial run 3 --mine -- --section factors
//         ./tutorial run 3 -- --experiment longer-texts
//         ./tutorial run 3 -- --experiment factors-by-seed
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "chapters/03_positional_encoding/models/marker_finder.hpp"
#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

const CountOption seeds{"--seeds", 5, 1, 20, "heads of each kind, from the seeds 1, 2, ..."};

std::vector<Finder> finders_of_seeds(const Request& request, Finder::Kind kind, float slope = 0.5f) {
    std::vector<Finder> finders;
    for (std::size_t seed = 1; seed <= request[seeds]; ++seed)
        finders.push_back(fitted_finder(kind, seed, slope));
    return finders;
}

// --- what heads find at some lengths

using Lengths = std::vector<std::size_t>;

// What each of some heads finds at each length: at[length][head]. No heads: they refuse this length.
struct FoundRow {
    std::string name;
    std::vector<std::vector<Found>> at;
};

// A head as it is asked at a length.
using AskedAt = std::function<Finder(const Finder&, std::size_t length)>;

FoundRow found_row(
    const std::string& name, const std::vector<Finder>& finders, const Lengths& lengths,
    const AskedAt& asked_at = [](const Finder& finder, std::size_t) { return finder; }) {
    FoundRow row{name, {}};
    for (const std::size_t length : lengths) {
        std::vector<Found>& found = row.at.emplace_back();
        for (const Finder& finder : finders)
            if (!finder.learned || length <= Finder::trained_length)
                found.push_back(found_by(asked_at(finder, length), length));
    }
    return row;
}

using Measure = double Found::*;

// "97.0", or the lowest and the highest of several heads: "62.1 - 97.0".
std::string in_percent(const std::vector<Found>& found, Measure measure) {
    if (found.empty()) return "refuses";
    const auto [low, high] = std::minmax_element(
        found.begin(), found.end(), [&](const Found& a, const Found& b) { return a.*measure < b.*measure; });
    const std::string least = fmt::format("{:.1f}", 100.0 * (*low).*measure),
                      most = fmt::format("{:.1f}", 100.0 * (*high).*measure);
    return least == most ? most : least + " - " + most;
}

// Of single heads one table with both measures, of several ones a table for each.
Report found_report(const std::string& what, const Lengths& lengths, const std::vector<FoundRow>& rows) {
    const std::size_t heads = rows.front().at.front().size();
    std::vector<Table> tables;
    for (const auto& [name, measure] :
         {std::pair{"found, % of queries", &Found::largest}, {"mean weight on it, %", &Found::weight}}) {
        if (tables.empty() || heads > 1) {
            Table& next = tables.emplace_back(Table{.title = heads > 1 ? name : "", .columns = {{what}}});
            for (const FoundRow& row : rows) next.rows.push_back({row.name});
        }
        Table& table = tables.back();
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            table.columns.push_back({std::to_string(lengths[i]), fixed(1), "", heads > 1 ? "" : name});
            for (std::size_t row = 0; row < rows.size(); ++row)
                table.rows[row].emplace_back(in_percent(rows[row].at[i], measure));
        }
    }
    Report report;
    report.note(fmt::format("Trained at length {}{}. Found: the right marker has the largest weight.",
                            Finder::trained_length,
                            heads > 1 ? fmt::format("; lowest and highest of {} heads", heads) : ""));
    for (const Table& table : tables) report.add(table);
    return report;
}

// --- other frequencies

using Factors = std::vector<double>;

// A way to change the frequencies for texts of `longest` words.
struct Scaling {
    std::string name;
    std::function<Factors(std::size_t longest)> factors;
    bool sharper = false;  // the temperature of YaRN
};

double times_longer(std::size_t longest) {
    return static_cast<double>(longest) / static_cast<double>(Finder::trained_length);
}

// factor(frequency, longest / trained) for each pair.
std::function<Factors(std::size_t)> for_each_pair(const std::function<double(double, double)>& factor) {
    return [factor](std::size_t longest) {
        Factors factors;
        for (const double frequency : finder_frequencies())
            factors.push_back(factor(frequency, times_longer(longest)));
        return factors;
    };
}

Factors designed(std::size_t longest) {
    return rotary_factors(finder_frequencies(), Finder::trained_length, longest);
}

const Scaling unchanged{"none", for_each_pair([](double, double) { return 1.0; })};
const Scaling interpolated{"interpolation", for_each_pair([](double, double times) { return 1.0 / times; })};

// 500000^(-2i / width) / 10000^(-2i / width), for all lengths.
const Scaling larger_theta{"theta 500000", for_each_pair([](double frequency, double) {
                               return std::pow(frequency, std::log(500000.0) / std::log(10000.0) - 1.0);
                           })};

double turns_in_training(double frequency) {
    return static_cast<double>(Finder::trained_length) * frequency / (2.0 * std::numbers::pi);
}

// 1 for the pairs that make a whole turn in the trained length, that of interpolation for the others.
const Scaling by_whole_turns{"by whole turns", for_each_pair([](double frequency, double times) {
                                 return turns_in_training(frequency) >= 1.0 ? 1.0 : 1.0 / times;
                             })};

Finder scaled(const Finder& finder, const Scaling& scaling, std::size_t longest) {
    Finder other = with_factors(finder, scaling.factors(longest));
    if (scaling.sharper) {  // of queries and keys, so the scores grow by its square
        const auto size = static_cast<float>(1.0 + 0.1 * std::log(times_longer(longest)));
        other.rotary->cos = other.rotary->cos * size;
        other.rotary->sin = other.rotary->sin * size;
    }
    return other;
}

std::vector<FoundRow> found_with(const std::vector<Scaling>& scalings, const std::vector<Finder>& finders,
                                 const Lengths& lengths) {
    std::vector<FoundRow> rows;
    for (const Scaling& scaling : scalings)
        rows.push_back(found_row(
            scaling.name, finders, lengths,
            [&](const Finder& finder, std::size_t length) { return scaled(finder, scaling, length); }));
    return rows;
}

// What the score of a marker becomes at each distance, with the factors for the longest text.
LineFigure distance_figure(const Finder& finder, const std::vector<Scaling>& scalings) {
    LinePanel panel{.x_axis = "distance of the marker", .y_axis = "score (before the softmax)"};
    for (const Scaling& scaling : scalings) {
        Series& series = panel.series.emplace_back(Series{.name = scaling.name});
        const std::vector<double> scores =
            marker_scores(scaled(finder, scaling, Finder::longest), 2 * Finder::trained_length + 1);
        for (std::size_t i = 0; i < scores.size(); ++i) series.add(static_cast<double>(i), scores[i]);
    }
    panel.series.front().name = "no change";
    panel.series.front().hue = Hue::without;
    return {.name = "distance_scores",
            .title = "Interpolation brings near markers too close together",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption = fmt::format("The rotary head of one seed, with the factors for {} words. A near "
                                   "marker must be ahead of a far one; interpolated, markers up to 10 words "
                                   "back score almost the same.",
                                   Finder::longest)};
}

// How far neighbouring pairs have turned at a distance of 20 words, as in training and now.
Table turns_table(const Scaling& scaling) {
    Table table{.title = fmt::format("{}, for {} words", scaling.name, Finder::longest),
                .columns = {{"pair", whole()},
                            {fmt::format("turns in {} words", Finder::trained_length), fixed(2)},
                            {"factor", fixed(3)},
                            {"unchanged", fixed(2), "", "turns at distance 20"},
                            {"now", fixed(2), "", "turns at distance 20"}}};
    const Factors factors = scaling.factors(Finder::longest);
    for (std::size_t pair = 0; pair < 6; ++pair) {
        const double trained = turns_in_training(finder_frequencies()[pair]);
        const double at_20 = trained * 20.0 / static_cast<double>(Finder::trained_length);
        table.add({pair, trained, factors[pair], at_20, at_20 * factors[pair]});
    }
    return table;
}

Report show_factors(const Request& request) {
    const Lengths lengths{128, 256};
    std::vector<Scaling> scalings{unchanged, interpolated};
    Report report;
    try {
        (void)designed(Finder::longest);
        scalings.push_back({"rotary_factors", designed});
    } catch (const NotImplemented& gap) {
        report.note(gap.what());
    }
    const Finder finder = fitted_finder(Finder::Kind::rotary, request[options::seed]);
    report.add(found_report("factors", lengths, found_with(scalings, {finder}, lengths)));
    report.add(turns_table(scalings.back()));
    report.add(distance_figure(finder, scalings));
    return report;
}

Report compare_scalings(const Request& request) {
    const Lengths lengths{64, 128, 256};
    const std::vector<Scaling> scalings{unchanged,
                                        interpolated,
                                        larger_theta,
                                        by_whole_turns,
                                        {"rotary_factors", designed},
                                        {"rotary_factors, sharper", designed, true}};
    const std::vector<Finder> finders = finders_of_seeds(request, Finder::Kind::rotary);
    return found_report("factors", lengths, found_with(scalings, finders, lengths));
}

// --- each kind of positions

// "9 of 9 right": the rows of the map whose largest weight is on the last marker up to their query.
std::string rows_found(const Array& map) {
    std::size_t found = 0;
    const std::size_t seq = marker_text.size();
    const std::vector<std::size_t> wanted = last_markers(marker_text);
    for (std::size_t i = 0; i < seq; ++i) found += is_largest({map.data() + i * seq, seq}, wanted[i]);
    return fmt::format("{} of {} right", found, seq);
}

// What a head should attend to in one text, and what two of them do.
HeatMapFigure markers_figure(const std::vector<Finder>& finders) {
    const std::size_t seq = marker_text.size();
    Array wanted = xt::zeros<float>({seq, seq});
    const std::vector<std::size_t> markers = last_markers(marker_text);
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
        const Array map = map_of(finder, marker_text);
        const std::string name = finder.kind == Finder::Kind::none ? "no positions" : finder.name();
        figure.panels.push_back(marker_panel(fmt::format("{}: {}", name, rows_found(map)), map));
    }
    return figure;
}

const Lengths all_lengths{32, 64, 128, 256};

LinePanel lengths_panel(const std::string& title, const std::string& axis, const std::vector<FoundRow>& rows,
                        Measure measure) {
    LinePanel panel{.title = title,
                    .x_axis = fmt::format("length of the text (trained: {})", Finder::trained_length),
                    .y_axis = axis,
                    .log_x = true,
                    .from_zero = true};
    for (const FoundRow& row : rows) {
        if (row.at.back().empty()) continue;  // it refuses
        Series& series = panel.series.emplace_back(Series{.name = row.name});
        for (std::size_t i = 0; i < all_lengths.size(); ++i)
            series.add(static_cast<double>(all_lengths[i]), 100.0 * row.at[i].front().*measure);
    }
    panel.series.front().name = "no positions";
    panel.series.front().hue = Hue::without;
    panel.series.back().name = "ALiBi, slope 1/2";
    return panel;
}

Report show_last_marker(const Request& request) {
    std::vector<Finder> finders;
    std::vector<FoundRow> rows;
    for (const Finder::Kind kind : Finder::kinds) {
        finders.push_back(fitted_finder(kind, request[options::seed]));
        rows.push_back(found_row(finders.back().name(), {finders.back()}, all_lengths));
    }
    Report report;
    report.add(markers_figure(finders));
    report.add(found_report("positions", all_lengths, rows));
    report.add(LineFigure{
        .name = "lengths",
        .title = "The same heads by two measures: ALiBi is ahead by one, rotary by the other",
        .panels = {lengths_panel("largest weight on the right #", "queries, %", rows, &Found::largest),
                   lengths_panel("mean weight on the right #", "weight, %", rows, &Found::weight)},
        .caption = "Heads of one seed. Learned rows have no curve: they end at the trained length."});
    return report;
}

Report compare_kinds(const Request& request) {
    std::vector<FoundRow> rows;
    for (const Finder::Kind kind : Finder::kinds) {
        if (kind == Finder::Kind::alibi) continue;
        const std::vector<Finder> finders = finders_of_seeds(request, kind);
        rows.push_back(found_row(finders.front().name(), finders, all_lengths));
    }
    for (const auto& [name, slope] : {std::pair{"2", 2.0f}, {"1/2", 0.5f}, {"1/256", 1.0f / 256.0f}})
        rows.push_back(found_row(fmt::format("ALiBi, slope {}", name),
                                 finders_of_seeds(request, Finder::Kind::alibi, slope), all_lengths));
    return found_report("positions", all_lengths, rows);
}

}  // namespace

const std::vector<std::int64_t> marker_text{0, 1, 2, 0, 3, 4, 5, 0, 6};

HeatMapPanel marker_panel(const std::string& title, const Array& map) {
    HeatMapPanel panel{title, map};
    for (const std::int64_t id : marker_text)
        panel.rows.push_back(id == 0 ? "#" : std::string(1, static_cast<char>('a' + id - 1)));
    panel.columns = panel.rows;
    panel.allowed = causal_mask(marker_text.size()).array();  // (1, 1, query, key)
    panel.allowed->reshape(map.shape());
    return panel;
}

Sections longer_texts_sections() {
    return {{"last-marker",
             "One trained head looks for the last marker (digits differ between machines)",
             show_last_marker,
             {options::seed}},
            {"longer-texts",
             "Past the trained length, by two measures and several seeds",
             compare_kinds,
             {seeds},
             Level::experiment},
            {"factors",
             "A factor for each frequency (digits differ between machines)",
             show_factors,
             {options::seed},
             Level::deeper},
            {"factors-by-seed",
             "A rotary head on longer texts: the ways to change its frequencies",
             compare_scalings,
             {seeds},
             Level::experiment}};
}

}  // namespace tfs
