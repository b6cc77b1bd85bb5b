// chapters/10_training/program/it.cpp · the second model: who is "it", and five ways to ask where the answer came from
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

}  // namespace tfs
