// chapters/08_encoder_decoder/program/trained_figures.cpp · what a trained encoder-decoder looks at
#include "chapters/08_encoder_decoder/program/trained_figures.hpp"

#include <fmt/format.h>

namespace tfs {

HeatMapFigure cross_figure(const DateTranslator& dates, const std::string& date, const std::string& answer) {
    return {
        .name = "cross",
        .title = "To write a part of the date, the model looks at this part",
        .row_axis = "target",
        .column_axis = "source",
        .panels = {attention_panel(fmt::format("{} → {}", date, answer),
                                   date_maps(dates, date, answer).cross_weights[0], 0, labels_of(answer),
                                   labels_of(date))},
        .panels_per_row = 1,
        .caption =
            "A trained model reads the date on top, the source, and writes the date on the left, the target. "
            "Each row shows where it looks in the source while it writes the row's own character: at "
            "the year for the year, at Apr for the month, at 8 for the day. ␣ is a space."};
}

}  // namespace tfs
