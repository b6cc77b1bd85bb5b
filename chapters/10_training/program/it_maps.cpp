// chapters/10_training/program/it_maps.cpp · who is "it", and four ways to ask where the answer came from
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "chapters/10_training/program/it_sections.hpp"
#include "common/program/weights.hpp"

namespace tfs {

namespace {

ItSentence dog_and_cat(const std::string& last_word) {
    return it_sentence({"the", "dog", "chased", "the", "cat", "because", "it", "was", last_word});
}

HeatMapPanel panel_of(const ItReader& model, const ItSentence& sentence) {
    const std::vector<NamedShares> ways = all_shares(model, sentence);
    HeatMapPanel panel{
        fmt::format("… {}: \"it\" is the {}", sentence.words.back(), answer_of(model, sentence).noun),
        make_array({ways.size(), sentence.words.size()})};
    for (std::size_t row = 0; row < ways.size(); ++row) {
        panel.rows.push_back(ways[row].name);
        for (std::size_t i = 0; i < sentence.words.size(); ++i) panel.values(row, i) = ways[row].shares[i];
    }
    panel.columns = sentence.words;
    panel.quantity = "share";
    return panel;
}

// Other sentences than those of the training run: of another draw, and of the same pairs of nouns.
std::vector<ItSentence> shipped_held_out() { return it_sentences(1, 500, 7).held_out; }

}  // namespace

void print_it_answers(Show& show, const ItReader& model) {
    for (const char* last_word : {"hungry", "weak"}) {
        const ItSentence sentence = dog_and_cat(last_word);
        const ItAnswer answer = answer_of(model, sentence);
        fmt::print(show.out, "  {}: \"it\" is the {} (probability {:.2f})\n", fmt::join(sentence.words, " "),
                   answer.noun, answer.probability);
    }
}

void print_it_shares(Show& show, const ItScore& score) {
    fmt::print(show.out, "  Over the held-out sentences: {:.1f} % right.\n", 100.0 * score.accuracy);
    fmt::print(show.out, "  {:<20} {:>22} {:>14} {:>14} {:>8} {:>12}\n", "", "right noun gets more",
               "on right noun", "on other noun", "on verb", "on last word");
    for (const ItShares& way : score.ways)
        fmt::print(show.out, "  {:<20} {:>20.1f} % {:>14.2f} {:>14.2f} {:>8.2f} {:>12.2f}\n", way.name,
                   100.0 * way.right_is_larger, way.right, way.other, way.action, way.last);
}

HeatMapFigure it_figure(const ItReader& model) {
    return {.name = "it",
            .title = "Where does the answer at \"it\" come from? Five rows for each sentence",
            .row_axis = "method",
            .column_axis = "word",
            .panels = {panel_of(model, dog_and_cat("hungry")), panel_of(model, dog_and_cat("weak"))},
            .caption =
                "Each row shares out the answer among the words. Only the last word differs between the two "
                "sentences. In layer 1, \"it\" has not found its noun: its row is nearly the same in both. "
                "In layer 2 the row points at the right noun. Rollout and gradient times input agree. For "
                "the lowest row each word is hidden in turn: it shows how the fall of the probability is "
                "shared. There the verb counts as much as the noun, and on the right the last word does, "
                "too. Attention at \"it\" shows where the noun is read, but not what decided for it."};
}

void show_it(Show& show) {
    const auto model = load_network<ItReader>(weights_file("it"), it_reader_kind());
    print_it_answers(show, model);
    show.figures.save(it_figure(model));
    show.deeper("Where the answer came from, over the held-out sentences",
                [&] { print_it_shares(show, score_of(model, shipped_held_out())); });
}

}  // namespace tfs
