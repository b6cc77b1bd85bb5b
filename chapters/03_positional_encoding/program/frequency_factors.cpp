// chapters/03_positional_encoding/program/frequency_factors.cpp · a rotary head on longer texts: the factors of the step position_interpolation, and others
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

// factor(pair, longest / trained) for each pair.
std::function<Factors(std::size_t)> for_each_pair(const std::function<double(double, double)>& factor) {
    return [factor](std::size_t longest) {
        Factors factors(Finder::width / 2);
        for (std::size_t i = 0; i < factors.size(); ++i)
            factors[i] = factor(static_cast<double>(i), times_longer(longest));
        return factors;
    };
}

Factors designed(std::size_t longest) {
    return rotary_factors(finder_frequencies(), Finder::trained_length, longest);
}

const Scaling unchanged{"none", for_each_pair([](double, double) { return 1.0; })};
const Scaling interpolated{"interpolation", for_each_pair([](double, double times) { return 1.0 / times; })};

// Of the same theta for all lengths: theta^(-2i / width) / 10000^(-2i / width).
Scaling larger_theta(double theta) {
    return {fmt::format("theta {:.0f}", theta), for_each_pair([theta](double i, double) {
                return std::pow(theta / 10000.0, -2.0 * i / static_cast<double>(Finder::width));
            })};
}

// 1 for the pairs that make a whole turn in the trained length, that of interpolation for the others.
Factors by_whole_turns(std::size_t longest) {
    Factors factors;
    for (const double frequency : finder_frequencies()) {
        const double turns =
            static_cast<double>(Finder::trained_length) * frequency / (2.0 * std::numbers::pi);
        factors.push_back(turns >= 1.0 ? 1.0 : 1.0 / times_longer(longest));
    }
    return factors;
}

Finder scaled(const Finder& finder, const Scaling& scaling, std::size_t longest) {
    Finder other = with_factors(finder, scaling.factors(longest));
    if (scaling.sharper) {  // of queries and keys, so the scores grow by its square
        const auto size = static_cast<float>(1.0 + 0.1 * std::log(times_longer(longest)));
        other.rotary->cos = other.rotary->cos * size;
        other.rotary->sin = other.rotary->sin * size;
    }
    return other;
}

// What the score of a marker becomes at each distance, with the factors for the longest text.
LineFigure distance_figure(const Finder& finder, const std::vector<Scaling>& scalings) {
    LinePanel panel{.title = "", .x_axis = "distance of the marker", .y_axis = "score (before the softmax)"};
    for (const Scaling& scaling : scalings) {
        Series& series = panel.series.emplace_back(Series{.name = scaling.name});
        const std::vector<double> scores =
            marker_scores(scaled(finder, scaling, Finder::longest), 2 * Finder::trained_length + 1);
        for (std::size_t i = 0; i < scores.size(); ++i) series.add(static_cast<double>(i), scores[i]);
    }
    panel.series.front().name = "no change";
    panel.series.front().hue = Hue::without;
    return {
        .name = "distance_scores",
        .title = "A far marker must not score as much as a near one",
        .panels = {std::move(panel)},
        .panels_per_row = 1,
        .caption = fmt::format(
            "The rotary head of one seed, with the factors for {} words. Unchanged it rises again past the "
            "trained {}; interpolated it falls too slowly to tell neighbours apart.",
            Finder::longest, Finder::trained_length)};
}

Report show_factors(const Request& request) {
    const Finder finder = fitted_finder(Finder::Kind::rotary, request[options::seed]);
    Table table{.title = fmt::format("trained at length {}; right: largest weight on the right marker; "
                                     "weight: mean weight on it, in %",
                                     Finder::trained_length),
                .columns = {{"factors"},
                            {"right, 128 words", fixed(1)},
                            {"weight, 128 words", fixed(1)},
                            {"right, 256 words", fixed(1)},
                            {"weight, 256 words", fixed(1)}}};
    std::vector<Scaling> scalings{unchanged, interpolated};
    Report report;
    try {
        (void)designed(Finder::longest);
        scalings.push_back({"rotary_factors", designed});
    } catch (const NotImplemented& gap) {
        report.note(gap.what());
    }
    for (const Scaling& scaling : scalings) {
        std::vector<Cell> row{scaling.name};
        for (const std::size_t length : {128u, 256u}) {
            const Found found = found_by(scaled(finder, scaling, length), length);
            row.insert(row.end(), {100.0 * found.largest, 100.0 * found.weight});
        }
        table.add(row);
    }
    report.add(table);
    report.add(distance_figure(finder, scalings));
    return report;
}

const CountOption seeds{"--seeds", 5, 1, 20, "heads of each kind, from the seeds 1, 2, ..."};

// "62 - 97": the lowest and the highest, in %.
struct Range {
    double low = 1.0, high = 0.0;
    void add(double value) { low = std::min(low, value), high = std::max(high, value); }
    [[nodiscard]] std::string text() const {
        return fmt::format("{:.1f} - {:.1f}", 100.0 * low, 100.0 * high);
    }
};

std::vector<Finder> finders_of(Finder::Kind kind, const Request& request, float slope = 0.5f) {
    std::vector<Finder> finders;
    for (std::size_t seed = 1; seed <= request[seeds]; ++seed) {
        const Finder& finder = finders.emplace_back(fitted_finder(kind, seed, {}, slope));
        request.tell({"progress", fmt::format("{}: seed {}", finder.name(), seed), {}});
    }
    return finders;
}

// Two tables, one for each measure: a row for each of the names, a column for each length.
struct Ranges {
    Table largest, weight;

    explicit Ranges(const std::string& what, const std::vector<std::size_t>& lengths)
        : largest{.title = "largest weight on the right marker, % of the queries", .columns = {{what}}},
          weight{.title = "mean weight on the right marker, %", .columns = {{what}}} {
        for (const std::size_t length : lengths)
            for (Table* table : {&largest, &weight}) table->columns.push_back({fmt::format("{}", length)});
    }

    void add(const std::string& name, const std::vector<Cell>& in_largest,
             const std::vector<Cell>& in_weight) {
        std::vector<Cell> row{name};
        row.insert(row.end(), in_largest.begin(), in_largest.end());
        largest.add(row);
        row.assign({name});
        row.insert(row.end(), in_weight.begin(), in_weight.end());
        weight.add(row);
    }

    [[nodiscard]] Report report(const Request& request) const {
        Report both;
        both.note(fmt::format("Lowest and highest of {} heads, each trained at length {}.", request[seeds],
                              Finder::trained_length));
        both.add(largest);
        both.add(weight);
        return both;
    }
};

// A finder, or a changed one, that is asked at a length.
using AskedAt = std::function<Finder(const Finder&, std::size_t length)>;

// A row of both tables.
void add_finders(Ranges& ranges, const std::string& name, const std::vector<Finder>& finders,
                 const std::vector<std::size_t>& lengths, const AskedAt& asked_at) {
    std::vector<Cell> in_largest, in_weight;
    for (const std::size_t length : lengths) {
        Range largest, weight;
        const bool refuses = finders.front().learned && length > Finder::trained_length;
        for (const Finder& finder : finders) {
            if (refuses) break;
            const Found found = found_by(asked_at(finder, length), length);
            largest.add(found.largest), weight.add(found.weight);
        }
        in_largest.emplace_back(refuses ? "refuses" : largest.text());
        in_weight.emplace_back(refuses ? "refuses" : weight.text());
    }
    ranges.add(name, in_largest, in_weight);
}

Report compare_kinds(const Request& request) {
    const std::vector<std::size_t> lengths{32, 64, 128, 256};
    const AskedAt as_it_is = [](const Finder& finder, std::size_t) { return finder; };
    Ranges ranges("positions", lengths);
    for (const Finder::Kind kind : Finder::kinds) {
        if (kind == Finder::Kind::alibi) continue;
        const std::vector<Finder> finders = finders_of(kind, request);
        add_finders(ranges, finders.front().name(), finders, lengths, as_it_is);
    }
    const std::pair<const char*, float> slopes[] = {{"2", 2.0f}, {"1/2", 0.5f}, {"1/256", 1.0f / 256.0f}};
    for (const auto& [name, slope] : slopes)
        add_finders(ranges, fmt::format("ALiBi, slope {}", name),
                    finders_of(Finder::Kind::alibi, request, slope), lengths, as_it_is);
    return ranges.report(request);
}

Report compare_scalings(const Request& request) {
    const std::vector<std::size_t> lengths{64, 128, 256};
    Ranges ranges("factors", lengths);
    const std::vector<Finder> finders = finders_of(Finder::Kind::rotary, request);
    for (const Scaling& scaling :
         {unchanged, interpolated, larger_theta(500000), Scaling{"by whole turns", by_whole_turns},
          Scaling{"rotary_factors", designed}, Scaling{"rotary_factors, sharper", designed, true}})
        add_finders(ranges, scaling.name, finders, lengths, [&](const Finder& finder, std::size_t length) {
            return scaled(finder, scaling, length);
        });
    return ranges.report(request);
}

}  // namespace

Sections frequency_factors_sections() {
    return {{"factors",
             "A factor for each frequency (digits differ between machines)",
             show_factors,
             {options::seed}},
            {"longer-texts",
             "Past the trained length, by two measures and several seeds",
             compare_kinds,
             {seeds},
             Level::experiment},
            {"factors-by-seed",
             "A rotary head on longer texts: the ways to change its frequencies",
             compare_scalings,
             {seeds},
             Level::experiment}};
}

}  // namespace tfs
