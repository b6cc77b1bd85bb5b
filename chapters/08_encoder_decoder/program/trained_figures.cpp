// chapters/08_encoder_decoder/program/trained_figures.cpp · what a trained encoder-decoder looks at
#include "chapters/08_encoder_decoder/program/trained_figures.hpp"

#include <fmt/format.h>

#include <array>

namespace tfs {

namespace {

// Behind each character of 1998-04-08 the part of the date that it belongs to.
std::vector<std::string> parts_of(const std::string& answer) {
    constexpr std::array<const char*, 3> names{"year", "month", "day"};
    std::vector<std::string> parts;
    std::size_t part = 0;
    for (const char c : answer) {
        if (c == '-') ++part;
        parts.push_back(c == '-' || part >= names.size() ? "" : fmt::format("writes the {}", names[part]));
    }
    return parts;
}

}  // namespace

HeatMapFigure cross_figure(const DateTranslator& dates, const std::string& date, const std::string& answer) {
    HeatMapPanel panel =
        attention_panel(fmt::format("{} → {}", date, answer), date_maps(dates, date, answer).cross_weights[0],
                        0, labels_of(answer), labels_of(date));
    panel.answers = parts_of(answer);
    return {
        .name = "cross",
        .title =
            "While it writes the year, the month or the day, the model looks mostly at that part of the "
            "source",
        .row_axis = "target: it writes",
        .column_axis = "source: it reads",
        .panels = {panel},
        .panels_per_row = 1,
        .caption =
            "Layer 1 of a trained model with one head. It reads the date on top, the source, and writes "
            "the date on the left, the target. Each row shows where it looks while it writes the "
            "character on its left. For the 4 it looks at \"p\": the encoder has mixed the characters, so "
            "it can read the whole month there. While it writes a \"-\" it looks at the month, too. ␣ is "
            "a space."};
}

}  // namespace tfs
