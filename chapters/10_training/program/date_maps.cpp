// chapters/10_training/program/date_maps.cpp · what the reader of dates answers, and where it looks
#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/models/trained_maps.hpp"
#include "chapters/10_training/program/date_sections.hpp"
#include "common/program/weights.hpp"

namespace tfs {

namespace {

// The same day in two forms; its two numbers differ, so that a look at the wrong one would be seen.
const std::vector<std::string> mapped_dates = {"Wed 8th of Apr. 1998", "04/08/98 month first"};

HeatMapPanel cross_map(const TextTransformer& reader, const std::string& text, const FieldShare& head) {
    const DateReading reading = read_date(reader, text);
    HeatMapPanel panel = attention_panel(text, reading.cross_weights[head.layer], head.head,
                                         labels_of(reading.answer), labels_of(text));
    panel.meant = {answer_digits.begin(), answer_digits.end()};
    return panel;
}

HeatMapFigure cross_maps(const TextTransformer& reader, const FieldShare& head) {
    return {
        .name = "dates",
        .title = fmt::format("Where the decoder looks while it writes a date: layer {}, head {}",
                             head.layer + 1, head.head + 1),
        .row_axis = "answer",
        .column_axis = "text",
        .panels = {cross_map(reader, mapped_dates[0], head), cross_map(reader, mapped_dates[1], head)},
        .caption =
            "Cross-attention of the trained model for one day in two forms. Read a row: it shows where the "
            "decoder looks while it writes this character. The year, the month and the day are each looked "
            "up where they are written. On the right the month comes first and is a number: the same head "
            "finds it there. The rows with grey names are the hyphens, which belong to no part of the date."};
}

}  // namespace

void show_date_answers(Show& show, const TextTransformer& reader, const std::vector<WrittenDate>& asked) {
    for (const std::string& text : {mapped_dates[0], mapped_dates[1], std::string("04/08/98 day first")})
        fmt::print(show.out, "  {:<24} -> {}\n", text, read_date(reader, text).answer);
    const DateScore score = score_dates(reader, asked);
    const FieldShare& best = score.best();
    fmt::print(
        show.out,
        "  Over {} held-out dates: {:.1f} % are answered without a mistake.\n"
        "  A digit of the answer gives {:.2f} of its attention to its own field in the text (layer {}, "
        "head {};\n"
        "  year {:.2f}, month {:.2f}, day {:.2f}). Spread evenly over the text it would be {:.2f}.\n",
        asked.size(), 100.0 * score.exact, best.mean, best.layer + 1, best.head + 1, best.of_part[year_part],
        best.of_part[month_part], best.of_part[day_part], score.even);
    show.figures.save(cross_maps(reader, best));
}

// Loaded in each section: a learner's step that is not written yet ends the section alone.
void show_dates(Show& show) {
    const std::vector<WrittenDate> asked = written_dates(0, dates_asked, seed_of_dates).held_out;
    show.section("An encoder-decoder that was trained to read dates", [&] {
        show_date_answers(show, load_network<TextTransformer>(weights_file("dates"), date_kind()), asked);
    });
    show.deeper("Dates: where each head of the decoder looks", [&] {
        show_date_fields(show, load_network<TextTransformer>(weights_file("dates"), date_kind()), asked);
    });
}

}  // namespace tfs
