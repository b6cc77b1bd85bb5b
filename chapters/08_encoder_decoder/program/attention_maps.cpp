// chapters/08_encoder_decoder/program/attention_maps.cpp · the cross map of a trained model, one block under two masks, the map of the puzzle
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

const TextOption date{"--date", "8 Apr 1998", "a date that the model reads", 32};
const TextOption answer{"--answer", "1998-04-08", "what it writes, as in 1998-04-08", 32};

// One label for each character; `space` for a space, which would not be seen.
std::vector<std::string> labels_of(const std::string& text, const std::string& space = "␣") {
    std::vector<std::string> letters;
    for (const char letter : text) letters.push_back(letter == ' ' ? space : std::string(1, letter));
    return letters;
}

// Behind each character of 1998-04-08 the part of the date that it belongs to.
std::vector<std::string> parts_of(const std::string& written) {
    constexpr std::array<const char*, 3> names{"year", "month", "day"};
    std::vector<std::string> parts;
    std::size_t part = 0;
    for (const char c : written) {
        if (c == '-') ++part;
        parts.push_back(c == '-' || part >= names.size() ? "" : fmt::format("writes the {}", names[part]));
    }
    return parts;
}

HeatMapFigure cross_figure(const Tensor& weights, const std::string& read, const std::string& written) {
    HeatMapPanel panel = attention_panel(fmt::format("{} → {}", read, written), weights, 0,
                                         labels_of(written), labels_of(read));
    panel.answers = parts_of(written);
    const bool of_the_lesson = read == date.value && written == answer.value;
    return {.name = "cross",
            .title =
                "While it writes the year, the month or the day, the model looks mostly at that part of the "
                "source",
            .row_axis = "target: it writes",
            .column_axis = "source: it reads",
            .panels = {panel},
            .panels_per_row = 1,
            .caption = fmt::format(
                "Layer 1 of a trained model with one head. It reads the date on top, the source, and writes "
                "the date on the left, the target. Each row shows where it looks while it writes the "
                "character on its left. {}␣ is a space.",
                of_the_lesson
                    ? "For the 4 it looks at \"p\": the encoder has mixed the characters, so it can read the "
                      "whole month there. While it writes a \"-\" it looks at the month, too. "
                    : "")};
}

Report show_cross_map(const Request& request) {
    Report report;
    const auto dates = trained_or_reason(report, "no map is shown", [] {
        return load_network<DateTranslator>(weights_file("dates"), date_kind());
    });
    if (!dates) return report;
    const std::string &read = request[date], &written = request[answer];
    const Tensor weights = date_maps(*dates, read, written).cross_weights[0];
    report.add(
        Map{attention_map(weights, 0, 0),
            {.title = fmt::format("\"{}\" -> {}: cross-attention of a trained model, layer 1", read, written),
             .rows = labels_of(written, "_"),
             .columns = labels_of(read, "_"),
             .row_axis = "target",
             .column_axis = "source"}});
    report.add(cross_figure(weights, read, written));
    return report;
}

// The first blocks of encoder and decoder, whose parameters are equal, under the mask of each.
Report show_mask_difference(const Request& request) {
    const ThreeModels models = three_models(request);
    const Tensor& x = models.source;
    const auto run = [&](const Stack& stack, StackKind kind) {
        return stack.blocks[0](x, self_attention_mask(kind, x.size(1))).output.array();
    };
    const Array looks_back = run(models.decoder, StackKind::decoder);
    const auto difference = [&](StackKind kind) {
        return largest_difference(run(models.encoder, kind), looks_back);
    };
    Table table{.columns = {{""}, {"", fixed(3)}}};
    table.add({"  encoder's block", difference(StackKind::encoder)});
    table.add({"  encoder's block under a causal mask", difference(StackKind::decoder)});
    Report report;
    report.note(
        fmt::format("blocks of seed {}, equal parameters; largest difference to a block of a decoder:",
                    request[options::seed]));
    report.add(table);
    return report;
}

// For each target the character of the source that it looks at most.
std::string word_read(const Array& weights, const std::string& source) {
    std::string read;
    for (std::size_t t = 0; t < source.size(); ++t) {
        const float* row = weights.data() + t * source.size();
        read += source[static_cast<std::size_t>(std::max_element(row, row + source.size()) - row)];
    }
    return read;
}

Report show_backwards(const Request&) {
    constexpr std::size_t longest = 32;
    float least = 1.0f;
    for (std::size_t n = 1; n <= longest; ++n) {
        const Array weights = weights_among_positions(backwards_head(n), n);
        for (std::size_t t = 0; t < n; ++t) least = std::min(least, weights(t, n - 1 - t));
    }
    const std::string source = "stressed", other = "elephant";  // of one length
    const Array weights = weights_among_positions(backwards_head(source.size()), source.size());
    Report report;
    report.note(fmt::format("source \"{}\", read by the head: \"{}\"", source, word_read(weights, source)));
    report.note(fmt::format("smallest weight on source n - 1 - t, n from 1 to {}: {:.2f}", longest, least));
    HeatMapFigure figure{.name = "backwards",
                         .title = "The head looks only at positions, so it turns any word around",
                         .row_axis = "target",
                         .column_axis = "source",
                         .caption =
                             "Drawn from the weights of the puzzle. Each row is a position of the target; "
                             "after it comes the "
                             "letter of the source that it looks at most.",
                         .largest = 1.0};
    for (const std::string& word : {source, other}) {
        const std::string read = word_read(weights, word);
        HeatMapPanel& panel =
            figure.panels.emplace_back(HeatMapPanel{.title = fmt::format("\"{}\" → \"{}\"", word, read),
                                                    .values = weights,
                                                    .columns = labels_of(word)});
        for (std::size_t t = 0; t < read.size(); ++t) {
            panel.rows.push_back(fmt::format("{}", t));
            panel.answers.push_back(fmt::format("→ {}", read[t]));
        }
    }
    report.add(figure);
    return report;
}

}  // namespace

Sections attention_maps_sections() {
    return {{"cross-map", "Cross-attention of a trained model", show_cross_map, {date, answer}},
            {"masks", "Encoder and decoder are one block under two masks (untrained)", show_mask_difference,
             options::of_models},
            {"puzzle", "Puzzle: a head that reads the source backwards", show_backwards}};
}

}  // namespace tfs
