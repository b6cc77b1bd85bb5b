// chapters/03_positional_encoding/program/sinusoids.cpp · digits and clock hands, added to words; a shift is a rotation; angles in float; the head of the puzzle
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// --- from digits to clock hands

// How many positions a hand takes to come round: "6.3", "6,283".
std::string period(std::size_t pair, std::size_t width) {
    const double positions = 2.0 * std::numbers::pi / frequency(pair, width);
    return format(positions, positions < 10.0 ? fixed(1) : thousands());
}

// Binary digits of the first 16 positions, and four sines of the table, both from slow to fast.
HeatMapFigure digits_figure() {
    constexpr std::size_t positions = 16, columns = 4, width = 32;
    const Tensor table = SinusoidalPositionalEncoding(width, positions).table;
    HeatMapPanel digits{.title = "binary digits",
                        .values = make_array({positions, columns}),
                        .scale = ColourScale::diverging},
        sines = digits;
    sines.title = "sines";
    for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t slow = columns - 1 - c, pair = 2 * slow;
        digits.columns.push_back(std::to_string(2U << slow));
        sines.columns.push_back(period(pair, width));
        for (std::size_t pos = 0; pos < positions; ++pos) {
            digits.values(pos, c) = static_cast<float>(pos >> slow & 1U);
            sines.values(pos, c) = table.at({pos, 2 * pair});
        }
    }
    return {
        .name = "digits",
        .title = "Binary digits jump, sines slide",
        .row_axis = "position",
        .column_axis = "positions for one round",
        .panels = {std::move(digits), std::move(sines)},
        .caption =
            "From 7 to 8 all four digits change, even the slow ones on the left. The slow sines change a "
            "little at each position. The sines are columns 12, 8, 4 and 0 of the table: every second hand."};
}

// Each pair (sine, cosine) of a row of the table is the tip of a hand, which starts upwards and turns clockwise.
PlaneFigure clocks_figure(std::size_t width) {
    constexpr std::array<std::size_t, 7> positions{0, 1, 2, 8, 32, 128, 1024};
    constexpr double step = 2.4;
    const std::size_t pairs = width / 2, hands = std::min<std::size_t>(pairs, 4);
    const Tensor table = SinusoidalPositionalEncoding(width, positions.back() + 1).table;
    PlanePanel panel{.low_x = -6.4,
                     .high_x = step * static_cast<double>(positions.size()) - 1.2,
                     .low_y = -step * static_cast<double>(hands) + 1.2,
                     .high_y = 1.9};
    for (std::size_t i = 0; i < hands; ++i) {
        const std::size_t pair = i * pairs / hands;
        const double y = -step * static_cast<double>(i);
        panel.text(-3.8, y + 0.35, fmt::format("columns {} and {}", 2 * pair, 2 * pair + 1));
        panel.text(-3.8, y - 0.45, fmt::format("round in {} positions", period(pair, width)));
        for (std::size_t j = 0; j < positions.size(); ++j) {
            const double x = step * static_cast<double>(j);
            if (i == 0) panel.text(x, 1.6, format(static_cast<double>(positions[j]), thousands()));
            panel.circle(x, y, 1.0);
            panel.arrow(x, y, x + rounded(table.at({positions[j], 2 * pair})),
                        y + rounded(table.at({positions[j], 2 * pair + 1})), Hue::positions);
        }
    }
    panel.text(-3.8, 1.6, "position");
    return {.name = "clocks",
            .title = "Sinusoids: a position is a set of clock hands, fast ones and slow ones",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption = fmt::format(
                "A hand points by its sine to the right and by its cosine up. The fast hands tell neighbours "
                "apart, the slow ones distant positions. {} of {} hands are drawn.",
                hands, pairs)};
}

Report show_digits(const Request& request) {
    Report report;
    Table table{.columns = {{"position", whole()}, {"binary"}, {"sines"}}};
    const HeatMapFigure figure = digits_figure();
    for (const std::size_t pos : {7u, 8u}) {
        std::string digits, sines;
        for (std::size_t c = 0; c < 4; ++c) {
            digits += fmt::format("{} ", figure.panels[0].values(pos, c));
            sines += fmt::format("{:5.2f} ", figure.panels[1].values(pos, c));
        }
        table.add({pos, digits, sines});
    }
    report.add(table);
    report.add(figure);
    report.add(clocks_figure(request[options::d_model]));
    return report;
}

// --- added to words

Report show_added(const Request& request) {
    const Tensor x = sentence_vectors(request);
    Report report;
    report.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    const SinusoidalPositionalEncoding sinusoids(request[options::d_model], request[options::max_len]);
    report.step("sinusoids.table", sinusoids.table, {"position", "d_model"}, "fixed");
    report.step("x + sinusoids", sinusoids(x), {"batch", "seq", "d_model"}, "rows 0 ... seq-1 added");
    const std::size_t last = x.size(1) - 1;
    report.note(fmt::format("the last word alone, with offset {}: {}", last,
                            difference(sinusoids(slice(x, 1, last, last + 1), last),
                                       slice(sinusoids(x), 1, last, last + 1)) < 1e-5
                                ? "the last row of all"
                                : "not the last row of all"));
    return report;
}

Report show_float_angles(const Request&) {
    constexpr std::size_t width = 128;
    constexpr std::size_t in_table = 10000;
    const Tensor sinusoids = SinusoidalPositionalEncoding(width, in_table + 1).table;
    Table table{
        .title = "largest error of a sine, width 128",
        .columns = {
            {"position", whole()}, {"angle in float", fixed(6)}, {"the table of sinusoids", fixed(6)}}};
    for (const std::size_t pos : {100u, 1000u, 10000u, 100000u, 1000000u}) {
        double worst = 0.0, worst_in_table = 0.0;
        for (std::size_t i = 0; i < width / 2; ++i) {
            const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(width);
            const float rounded = static_cast<float>(pos) * std::pow(10000.0f, static_cast<float>(exponent));
            const double exact = static_cast<double>(pos) * frequency(i, width);
            if (pos <= in_table)
                worst_in_table =
                    std::max(worst_in_table, std::abs(sinusoids.at({pos, 2 * i}) - std::sin(exact)));
            worst = std::max(worst, std::abs(std::sin(static_cast<double>(rounded)) - std::sin(exact)));
        }
        table.add({pos, worst, pos <= in_table ? Cell(worst_in_table) : Cell("-")});
    }
    return Report(table);
}

// --- a shift is a rotation

// The largest |R(k) PE(pos) - PE(pos + k)|, with R(k) turning pair i by the angle k / 10000^(2i / d_model).
double rotation_error(const Tensor& table, std::size_t k) {
    const Array& pe = table.array();
    const std::size_t width = table.size(-1);
    double worst = 0.0;
    for (std::size_t pos = 0; pos + k < table.size(0); ++pos) {
        for (std::size_t i = 0; i < width / 2; ++i) {
            const double angle = static_cast<double>(k) * frequency(i, width);
            const double sine = pe(pos, 2 * i), cosine = pe(pos, 2 * i + 1);
            const double turned[2] = {sine * std::cos(angle) + cosine * std::sin(angle),
                                      cosine * std::cos(angle) - sine * std::sin(angle)};
            for (std::size_t side = 0; side < 2; ++side)
                worst = std::max(worst, std::abs(turned[side] - pe(pos + k, 2 * i + side)));
        }
    }
    return worst;
}

// PE(pos) · PE(pos + k) depends on k alone.
Table dot_products(const Tensor& table) {
    const std::size_t max_len = table.size(0), width = table.size(-1);
    const auto row = [&](std::size_t pos) { return table.values().subspan(pos * width, width); };
    Table products{
        .title = fmt::format("Dot products of two rows of the table, at width {}", width),
        .columns = {
            {"k", whole()}, {"PE(0).PE(k)", fixed(3)}, {"largest change over all positions", magnitude()}}};
    for (std::size_t k = 0; k < max_len; k = k == 0 ? 1 : 2 * k) {
        const double first = dot(row(0), row(k));
        double change = 0.0;
        for (std::size_t pos = 0; pos + k < max_len; ++pos)
            change = std::max(change, std::abs(dot(row(pos), row(pos + k)) - first));
        products.add({k, first, change});
    }
    return products;
}

Report show_shifts(const Request& request) {
    const std::size_t d_model = request[options::d_model], max_len = request[options::max_len];
    const Tensor table = SinusoidalPositionalEncoding(d_model, max_len).table;
    Table shifts{.title = "PE(pos + k) against PE(pos), each pair turned by its angle: largest difference",
                 .columns = {{"k", whole()}, {"the table", magnitude()}}};
    for (const std::size_t k : {1u, 5u, 20u})
        if (k < max_len) shifts.add({k, rotation_error(table, k)});
    Report report;
    if (!shifts.rows.empty()) report.add(shifts);
    report.add(dot_products(table));
    return report;
}

// --- the puzzle: what the head with weights by hand looks at

HeatMapFigure previous_token_figure() {
    const Tokens words = split_words("The cat sat on the mat");
    HeatMapPanel panel{.values = weights_among_positions(previous_token_head(), words.size()),
                       .rows = words,
                       .columns = words};
    for (std::size_t i = 1; i < words.size(); ++i) {
        panel.meant.push_back(i);
        panel.answers.push_back("→ " + words[i - 1]);
    }
    return {.name = "previous_token",
            .title = "From positions alone each word finds the word before it",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption =
                "The puzzle's head sees positions and no mask; the words are only labels. The first word has "
                "none before it, so it has no row.",
            .largest = 1.0};
}

Report show_previous_token(const Request&) {
    constexpr std::size_t last = 64;
    const Array weights = weights_among_positions(previous_token_head(), last + 1);
    float least = 1.0f;
    for (std::size_t i = 1; i <= last; ++i) least = std::min(least, weights(i, i - 1));
    Report report;
    report.note(fmt::format("smallest weight on the previous token, positions 1 to {}: {:.2f}", last, least));
    report.add(previous_token_figure());
    return report;
}

}  // namespace

Tensor sentence_vectors(const Request& request) {
    const Vocabulary vocabulary = build_vocabulary(request.words(options::text));
    Rng rng(request[options::seed]);
    return Embedding(vocabulary.words.size(), request[options::d_model], rng)(vocabulary.ids);
}

Sections sinusoids_sections() {
    return {{"digits", "Positions as digits: binary ones jump, sines slide", show_digits, {options::d_model}},
            {"added-positions",
             "Positions added to x (untrained)",
             show_added,
             {options::text, options::d_model, options::max_len, options::seed},
             Level::deeper},
            {"shift",
             "A shift of the sinusoids is a rotation, and their dot product knows the distance",
             show_shifts,
             {options::d_model, options::max_len},
             Level::deeper},
            {"float-angles", "Angles need double", show_float_angles, {}, Level::deeper}};
}

Sections puzzle_sections() {
    return {{"puzzle", "Puzzle: a head that looks at the previous token", show_previous_token}};
}

}  // namespace tfs
