// chapters/10_training/program/date_fields_table.cpp · where each head of the decoder looks while it writes a date
#include <fmt/ostream.h>

#include "chapters/10_training/program/date_sections.hpp"

namespace tfs {

namespace {

// Eight digits down; year, month, day and the rest of the text across.
HeatMapPanel fields_panel(const FieldShare& head) {
    HeatMapPanel panel{fmt::format("layer {}, head {}", head.layer + 1, head.head + 1), make_array({8, 4})};
    for (std::size_t digit = 0; digit < 8; ++digit) {
        double elsewhere = 1.0;
        for (std::size_t part = 0; part < 3; ++part) {
            panel.values(digit, part) = static_cast<float>(head.of_field[digit][part]);
            elsewhere -= head.of_field[digit][part];
        }
        panel.values(digit, 3) = static_cast<float>(elsewhere);
    }
    panel.rows = {"year 1", "year 2", "year 3", "year 4", "month 1", "month 2", "day 1", "day 2"};
    panel.columns = {"year", "month", "day", "elsewhere"};
    return panel;
}

}  // namespace

void show_date_fields(Show& show, const TextTransformer& reader, const std::vector<WrittenDate>& asked) {
    const DateScore score = score_dates(reader, asked);
    fmt::print(show.out, "  {:<18} {:>12} {:>8} {:>8} {:>8}\n", "weight on its own", "any field", "year",
               "month", "day");
    HeatMapFigure figure{
        .name = "date_fields",
        .title = "Which field each digit of the answer looks at",
        .row_axis = "digit",
        .column_axis = "field",
        .caption =
            "Means over the held-out dates: the digits of the answer down, the fields of the text "
            "across. In the mean each digit looks most at its own field. The second digit of the year "
            "looks least: a 1 is followed by a 9 and a 2 by a 0, so it needs no looking up. Elsewhere "
            "are the other characters: commas, points, slashes, spaces, weekdays."};
    for (const FieldShare& head : score.heads) {
        fmt::print(show.out, "  {:<18} {:>12.2f} {:>8.2f} {:>8.2f} {:>8.2f}\n",
                   fmt::format("layer {}, head {}", head.layer + 1, head.head + 1), head.mean,
                   head.of_part[year_part], head.of_part[month_part], head.of_part[day_part]);
        if (figure.panels.size() < 6) figure.panels.push_back(fields_panel(head));
    }
    show.figures.save(figure);
}

}  // namespace tfs
