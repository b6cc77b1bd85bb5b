// chapters/03_positional_encoding/program/added_positions.cpp · the sentence, the two ways that add a row to each word, and how far an angle in float is off
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// Four pairs of the table's columns, from the fastest to the slowest.
std::vector<std::size_t> shown_pairs(std::size_t pairs) {
    if (pairs <= 4) {
        std::vector<std::size_t> all(pairs);
        std::iota(all.begin(), all.end(), std::size_t{0});
        return all;
    }
    return {0, pairs / 5, pairs / 2 - 1, pairs - 1};
}

// Each pair (sine, cosine) of a row of the table is the tip of a hand, which starts upwards and turns clockwise.
PlaneFigure clocks_figure(const Tensor& table) {
    const std::size_t positions = std::min<std::size_t>(table.size(0), 7);
    const std::vector<std::size_t> pairs = shown_pairs(table.size(-1) / 2);
    constexpr double step = 2.4;
    PlanePanel panel{.low_x = -5.6,
                     .high_x = step * static_cast<double>(positions) - 1.2,
                     .low_y = -step * static_cast<double>(pairs.size()) + 1.2,
                     .high_y = 1.9};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::size_t pair = pairs[i];
        const double y = -step * static_cast<double>(i);
        panel.text(-3.4, y, fmt::format("columns {} and {}", 2 * pair, 2 * pair + 1));
        for (std::size_t pos = 0; pos < positions; ++pos) {
            const double x = step * static_cast<double>(pos);
            if (i == 0) panel.text(x, 1.6, std::to_string(pos));
            panel.circle(x, y, 1.0);
            panel.arrow(x, y, x + rounded(table.at({pos, 2 * pair})),
                        y + rounded(table.at({pos, 2 * pair + 1})), Hue::positions);
        }
    }
    panel.text(-3.4, 1.6, "position");
    return {.name = "clocks",
            .title = "Sinusoids: a position is a set of clock hands, fast ones and slow ones",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption = fmt::format(
                "A hand points by its sine to the right and by its cosine up. The fast hands tell neighbours "
                "apart, the slow ones distant positions. {} of {} hands are drawn.",
                pairs.size(), table.size(-1) / 2)};
}

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
    const LearnedPositionalEmbedding learned = learned_positions(request);
    report.step("learned.table", learned.embedding.weight, {"position", "d_model"}, "untrained");
    report.step("x + learned", learned(x), {"batch", "seq", "d_model"}, "the same addition");
    report.add(clocks_figure(sinusoids.table));
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

}  // namespace

Tensor sentence_vectors(const Request& request) {
    const Vocabulary vocabulary = build_vocabulary(request.words(options::text));
    Rng rng(request[options::seed]);
    return Embedding(vocabulary.words.size(), request[options::d_model], rng)(vocabulary.ids);
}

LearnedPositionalEmbedding learned_positions(const Request& request) {
    Rng rng(request[options::seed] + 2);  // others than those of the words and of the attention
    return {request[options::d_model], request[options::max_len], rng};
}

Sections added_positions_sections() {
    return {{"added-positions",
             "Positions added to x (random weights)",
             show_added,
             {options::text, options::d_model, options::max_len, options::seed}},
            {"float-angles", "Angles need double", show_float_angles, {}, Level::deeper}};
}

}  // namespace tfs
