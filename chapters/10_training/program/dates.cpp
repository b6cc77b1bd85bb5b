// chapters/10_training/program/dates.cpp · the third model reads dates: what it answers, and where it looks
#include <fmt/format.h>

#include "chapters/08_encoder_decoder/models/trained_maps.hpp"
#include "chapters/10_training/models/date_fields.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "chapters/10_training/program/shown_task.hpp"

namespace tfs {

namespace {

Report introduction(const DateTask& dates) {
    const WrittenDates& all = dates.dates;
    Table examples{.title = "Many written forms of a date, one answer", .columns = {{""}, {""}}};
    for (std::size_t i = 0; i < 4; ++i) examples.add({all.training[i].text, all.training[i].answer});
    const TransformerConfig& config = dates.reader.model.config;
    const std::size_t heads = config.block.num_heads;
    Report report;
    report.add(examples);
    report.note(fmt::format(
        "{} texts in {} forms to learn from; {} held out, whose dates are in none of them.\n"
        "The model: {} characters, {} parameters, {} layers on each side, {} head{} of attention.",
        all.training.size(), date_forms().size(), all.held_out.size(), dates.reader.tokenizer.size() - 2,
        count_parameters(dates.reader.parameters()), config.num_layers, heads, heads == 1 ? "" : "s"));
    return report;
}

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

Report date_answers(const TextTransformer& reader, const std::vector<WrittenDate>& held_out) {
    Table answers{.columns = {{"text"}, {"answer"}}};
    for (const std::string& text : {mapped_dates[0], mapped_dates[1], std::string("04/08/98 day first")})
        answers.add({text, read_date(reader, text).answer});
    const DateScore score = score_dates(reader, held_out);
    const FieldShare& best = score.best();
    Report report;
    report.add(answers);
    report.note(
        fmt::format("Over {} held-out dates: {:.1f} % are answered without a mistake.\n"
                    "A digit of the answer gives {:.2f} of its attention to its own field in the text (layer "
                    "{}, head {};\n"
                    "year {:.2f}, month {:.2f}, day {:.2f}). Spread evenly over the text it would be {:.2f}.",
                    held_out.size(), 100.0 * score.exact, best.mean, best.layer + 1, best.head + 1,
                    best.of_part[year_part], best.of_part[month_part], best.of_part[day_part], score.even));
    report.add(cross_maps(reader, best));
    return report;
}

}  // namespace

ShownTask shown_dates(const Request& request) {
    const auto dates = std::make_shared<const DateTask>(date_task(task_options(request)));
    return {.task = dates->task,
            .introduce = [dates] { return introduction(*dates); },
            .finish = [dates] { return date_answers(dates->reader, dates->dates.held_out); }};
}

Section trained_dates() {
    return {.id = "dates",
            .title = "An encoder-decoder that was trained to read dates",
            .run = [](const Request&) {
                return date_answers(load_network<TextTransformer>(weights_file("dates"), date_kind()),
                                    written_dates(0, dates_asked, seed_of_dates).held_out);
            }};
}

}  // namespace tfs
