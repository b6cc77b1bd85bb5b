// chapters/10_training/program/dates.cpp · the third model reads dates: what it answers, and where it looks
#include <fmt/format.h>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

Report introduction(const DateTask& dates) {
    const WrittenDates& all = dates.data;
    Table examples{.title = "Many written forms of a date, one answer", .columns = {{""}, {""}}};
    for (std::size_t i = 0; i < 4; ++i) examples.add({all.training[i].text, all.training[i].answer});
    const TransformerConfig& config = dates.model.model.config;
    const std::size_t heads = config.block.num_heads;
    Report report;
    report.add(examples);
    report.note(fmt::format(
        "{} texts in {} forms to learn from; {} held out, whose dates are in none of them.\n"
        "The model: {} characters, {} parameters, {} layers on each side, {} head{} of attention.",
        all.training.size(), date_forms().size(), all.held_out.size(), dates.model.tokenizer.size() - 2,
        count_parameters(dates.model.parameters()), config.num_layers, heads, heads == 1 ? "" : "s"));
    return report;
}

// The same day in two forms; its two numbers differ, so that a look at the wrong one would be seen.
const std::vector<std::string> mapped_dates = {"Wed 8th of Apr. 1998", "04/08/98 month first"};

// The words of a text, and what stands between them if it is no space: "04", "/", "08", … A space counts with the word before it.
std::vector<Span> words_in(const std::string& text) {
    const auto joins = [](char c) { return c != '/' && c != '-' && c != ','; };
    std::vector<Span> words;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool goes_on =
            i > 0 && (text[i] == ' ' || (text[i - 1] != ' ' && joins(text[i]) && joins(text[i - 1])));
        if (!goes_on) words.push_back({i, i});
        words.back().end = i + 1;
    }
    return words;
}

// A row for each digit of the answer, a column for each word of the text.
HeatMapPanel cross_map(const TextTransformer& reader, const std::string& text, const FieldShare& head) {
    const DateReading reading = read_date(reader, text);
    const std::vector<Span> words = words_in(text);
    HeatMapPanel panel{text, make_array({answer_digits.size(), words.size()})};
    for (const Span& word : words) panel.columns.push_back(text.substr(word.begin, word.end - word.begin));
    for (std::size_t i = 0; i < answer_digits.size(); ++i) {
        panel.rows.push_back(fmt::format("{} ({})", reading.answer[answer_digits[i]],
                                         date_parts[part_of_digit(answer_digits[i])]));
        for (std::size_t j = 0; j < words.size(); ++j)
            panel.values(i, j) = static_cast<float>(
                weight_on(reading.cross_weights[head.layer], 0, head.head, answer_digits[i], words[j]));
    }
    return panel;
}

HeatMapFigure cross_maps(const TextTransformer& reader, const FieldShare& head) {
    return {.name = "dates",
            .title = "The decoder mostly looks at the part of the date that it writes",
            .row_axis = "digit of the answer",
            .column_axis = "",
            .panels = {cross_map(reader, mapped_dates[0], head), cross_map(reader, mapped_dates[1], head)},
            .caption = fmt::format("Cross-attention of layer {}, head {}, while the decoder writes one day "
                                   "in two forms: a row for each "
                                   "digit of the answer, a column for each word of the text (its characters "
                                   "added up).",
                                   head.layer + 1, head.head + 1)};
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
    const auto dates = std::make_shared<const DateTask>(date_task(task_settings(request)));
    return {.task = dates->task,
            .introduce = [dates] { return introduction(*dates); },
            .finish = [dates] { return date_answers(dates->model, dates->data.held_out); }};
}

Sections dates_sections() {
    return {{"dates", "An encoder-decoder that was trained to read dates", [](const Request&) {
                 return date_answers(load_network<TextTransformer>(weights_file("dates"), date_kind()),
                                     written_dates(0, dates_asked, seed_of_dates).held_out);
             }}};
}

}  // namespace tfs
