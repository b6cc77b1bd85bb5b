// chapters/10_training/program/it_and_dates.cpp · the second model: who is "it", and five ways to ask where the answer came from; the third reads dates
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "chapters/10_training/models/it_explanations.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

Report introduction(const ItTask& it) {
    Table examples{.title = "Which of two animals is \"it\"?", .columns = {{""}, {""}}};
    for (std::size_t i = 0; i < 4; ++i) {
        const ItSentence& sentence = it.data.held_out[i];
        examples.add({fmt::format("{}", fmt::join(sentence.words, " ")), sentence.words[sentence.noun()]});
    }
    Report report;
    report.add(examples);
    report.note(fmt::format(
        "{} sentences to learn from; {} held out, whose pairs of animals never occur in them.\n"
        "The model: {} words, {} layers, {} heads, {} parameters.",
        it.data.training.size(), it.data.held_out.size(), it.model.tokenizer.size(), it.model.blocks.size(),
        it.model.blocks[0].config.num_heads, count_parameters(it.model.parameters())));
    return report;
}

ItSentence dog_and_cat(const std::string& last_word) {
    return it_sentence({"the", "dog", "chased", "the", "cat", "because", "it", "was", last_word});
}

// Both last words matter here: where one is hidden, the probability of the answer falls.
ItSentence wolf_and_mouse(const std::string& last_word) {
    return it_sentence({"the", "wolf", "attacked", "the", "mouse", "because", "it", "was", last_word});
}

// What one way says of these sentences, a row for each.
HeatMapPanel panel_of(const ItReader& model, const std::string& way, const std::string& title) {
    const std::vector<ItSentence> sentences{wolf_and_mouse("hungry"), wolf_and_mouse("weak")};
    HeatMapPanel panel{title, make_array({sentences.size(), sentences[0].words.size()})};
    for (std::size_t row = 0; row < sentences.size(); ++row) {
        for (const NamedShares& one : all_shares(model, sentences[row]))
            if (one.name == way) std::copy(one.shares.begin(), one.shares.end(), &panel.values(row, 0));
        panel.rows.push_back("… it was " + sentences[row].words.back());
        panel.answers.push_back("→ " + answer_of(model, sentences[row]).noun);
    }
    panel.columns = sentences[0].words;
    panel.columns.back() = "hungry / weak";
    panel.quantity = "share";
    return panel;
}

HeatMapFigure it_figure(const ItReader& model) {
    return {
        .name = "it",
        .title = "In layer 2 \"it\" looks only at its noun, but the answer needs other words, too",
        .row_axis = "",
        .column_axis = "",
        .panels = {panel_of(model, "attention, layer 2", "What \"it\" looks at, in layer 2"),
                   panel_of(model, "leaving it out",
                            "What the answer needs: how much hiding each word hurts (a row sums to 1)")},
        .panels_per_row = 1,
        .caption =
            "Two sentences that differ in the last word, and behind each row the model's answer. Below, each "
            "word is hidden in turn, and the answer's probability falls: a number is the share of this word "
            "in "
            "all falls of its row."};
}

Report it_answers(const ItReader& model) {
    Report report;
    for (const char* last_word : {"hungry", "weak"}) {
        const ItSentence sentence = dog_and_cat(last_word);
        const ItAnswer answer = answer_of(model, sentence);
        report.note(fmt::format("{}: \"it\" is the {} (probability {:.2f})", fmt::join(sentence.words, " "),
                                answer.noun, answer.probability));
    }
    report.add(it_figure(model));
    return report;
}

Report shares_over(const ItReader& model, const std::vector<ItSentence>& held_out) {
    const ItScore score = score_of(model, held_out);
    Table table{.columns = {{""},
                            {"right noun gets more", fixed(1, " %")},
                            {"on right noun", fixed(2)},
                            {"on other noun", fixed(2)},
                            {"on verb", fixed(2)},
                            {"on last word", fixed(2)}}};
    for (const ItShares& way : score.ways)
        table.add({way.name, 100.0 * way.right_is_larger, way.right, way.other, way.action, way.last});
    Report report;
    report.note(fmt::format("Over the held-out sentences: {:.1f} % right.", 100.0 * score.accuracy));
    report.add(table);
    return report;
}

ItReader shipped_reader() { return load_network<ItReader>(weights_file("it"), it_reader_kind()); }

// Other sentences than those of the training run: of another draw, and of the same pairs of nouns.
std::vector<ItSentence> asked_of_shipped() { return it_sentences(1, 500, 7).held_out; }

Table table_of(const std::vector<ItHalf>& halves) {
    Table table{
        .columns = {{"stream behind"}, {"added", fixed(2)}, {"size", fixed(2)}, {"% right", whole()}}};
    for (const ItHalf& half : halves) table.add({half.name, half.added, half.stream, 100.0 * half.right});
    return table;
}

Table table_of(const std::vector<ItHead>& heads) {
    Table table{.columns = {{"head"},
                            {"noun reads last word", fixed(2)},
                            {"\"it\" reads verb", fixed(2)},
                            {"its noun (the other)"},
                            {"% right without", whole()}}};
    for (const ItHead& one : heads)
        table.add({fmt::format("block {}, head {}", one.block + 1, one.head + 1), one.nouns_to_last,
                   one.it_to_action, fmt::format("{:.2f} ({:.2f})", one.it_to_right, one.it_to_other),
                   100.0 * one.right_without});
    return table;
}

Report show_parts(const Request&) {
    const auto model = shipped_reader();
    const std::vector<ItSentence> sentences = asked_of_shipped();
    Report report;
    report.add(table_of(halves_of(model, sentences)));
    report.note(
        fmt::format("At \"it\", means over {} held-out sentences. added, size: root mean square of what a "
                    "part adds, and of "
                    "the stream with it. % right: if the final norm and the output read the stream there.",
                    sentences.size()));
    report.add(table_of(heads_of(model, sentences)));
    report.note(fmt::format(
        "Attention weights, means over the sentences. % right without: if this head gives nothing; with all "
        "heads {:.0f}.",
        100.0 * accuracy_of(model, sentences)));
    return report;
}

}  // namespace

ShownTask shown_it(const Request& request) {
    const auto it = std::make_shared<const ItTask>(it_task(task_settings(request)));
    return {.task = it->task,
            .introduce = [it] { return introduction(*it); },
            .finish =
                [it] {
                    Report report = it_answers(it->model);
                    report.add(shares_over(it->model, it->data.held_out));
                    return report;
                }};
}

Sections it_sections() {
    return {
        {"it", "A trained encoder: who is \"it\"?",
         [](const Request&) { return it_answers(shipped_reader()); }},
        {"it-shares",
         "Where the answer came from, over the held-out sentences",
         [](const Request&) { return shares_over(shipped_reader(), asked_of_shipped()); },
         {},
         Level::deeper},
        {"it-parts", "Who is \"it\"? What each sublayer and each head does", show_parts, {}, Level::deeper}};
}

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
