// chapters/10_training/program/noun_maps.cpp · what the trained attention looks at
#include "chapters/10_training/program/sections.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace tfs {

namespace {

HeatMapPanel growth_panel(const std::string& last_word, const GrowingMap& growth,
                          const std::vector<std::vector<float>>& rows) {
    HeatMapPanel panel{"… it was " + last_word, make_array({rows.size(), tired_cat.size()})};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy(rows[i].begin(), rows[i].end(), panel.values.data() + i * tired_cat.size());
        panel.rows.push_back(std::to_string(growth.steps[i]));
    }
    panel.columns = tired_cat;
    panel.columns.back() = last_word;
    return panel;
}

}  // namespace

HeatMapFigure show_trained_maps(Show& show, const NounTask& nouns, const NounScore& score) {
    for (const char* last_word : {"tired", "soft"}) {
        std::vector<std::string> sentence = tired_cat;
        sentence.back() = last_word;
        const NounGuess guess = guess_noun(nouns.model, sentence);
        const auto most = std::max_element(guess.weights.begin(), guess.weights.end());
        fmt::print(show.out, "  {}: speaks of \"{}\"; {} attends most to {} ({:.2f})\n",
                   fmt::join(sentence, " "), guess.noun, last_word,
                   sentence[static_cast<std::size_t>(most - guess.weights.begin())], *most);
    }
    fmt::print(show.out,
               "  Over {} held-out sentences: {:.1f} % right; the last word gives its noun a weight of "
               "{:.2f} in the mean.\n",
               nouns.sentences.held_out.size(), 100.0 * score.accuracy, score.mean_weight);
    return noun_maps(nouns.model, tired_cat, {"tired", "soft"});
}

std::optional<HeatMapFigure> show_overlooked(Show& show, const NounTask& nouns, const NounScore& score) {
    const std::vector<NounSentence>& overlooked = score.overlooked;
    std::map<std::string, std::size_t> count_of;  // of those that are named all the same
    const NounSentence* named = nullptr;
    std::size_t right = 0;
    for (const NounSentence& sentence : overlooked) {
        const std::string& noun = sentence.words[sentence.noun];
        if (guess_noun(nouns.model, sentence.words).noun != noun) continue;
        ++count_of[noun];
        ++right;
        if (named == nullptr) named = &sentence;
    }
    std::vector<std::string> named_nouns;
    for (const auto& [noun, count] : count_of) named_nouns.push_back(fmt::format("{} ({})", noun, count));
    if (named_nouns.size() > 6) {
        named_nouns.resize(6);
        named_nouns.emplace_back("…");
    }
    fmt::print(
        show.out,
        "  In {} of {} sentences the noun gets less than half of the attention; {} of these answers are "
        "right: {}\n",
        overlooked.size(), nouns.sentences.held_out.size(), right,
        named_nouns.empty() ? "none" : fmt::format("{}", fmt::join(named_nouns, ", ")));
    if (named == nullptr) return std::nullopt;
    const NounGuess guess = guess_noun(nouns.model, named->words);
    HeatMapFigure figure = noun_maps(nouns.model, named->words, {named->words.back()});
    figure.name = "overlooked";
    figure.title = "The answer is a noun that the head does not look at";
    figure.caption = fmt::format(
        "The model answers \"{}\" here, and the last word gives \"{}\" a weight of {:.2f}. The answer need "
        "not be a word "
        "that the head looks at. Rows with grey names were never asked.",
        guess.noun, guess.noun, guess.weights[named->noun]);
    return figure;
}

HeatMapFigure growth_figure(const GrowingMap& growth) {
    return {
        .name = "growth",
        .title = "How the row of the last word changed while the model was trained",
        .row_axis = "step",
        .panels = {growth_panel("tired", growth, growth.tired), growth_panel("soft", growth, growth.soft)},
        .caption =
            "Each row is the row of the last word in the attention map, at one step of the training. At step "
            "0 the "
            "weights are random. The head then finds the word that answers the question, and stays with it."};
}

void compare_heads(Show& show, const TaskOptions& options) {
    fmt::print(show.out, "  {:<8} {:>12} {:>26} {:>26}\n", "heads", "% right", "mean weight on the noun",
               "more than half on it");
    for (const std::size_t heads : {1U, 2U, 4U}) {
        std::vector<double> accuracy, weight, above;
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            TaskOptions changed = options;
            changed.heads = heads;
            changed.seed = seed;
            const NounTask nouns = noun_task(changed);
            Trainer trainer(nouns.task);
            train(trainer);
            const NounScore score = score_of(nouns.model, nouns.sentences.held_out);
            accuracy.push_back(100.0 * score.accuracy);
            weight.push_back(score.mean_weight);
            above.push_back(100.0 - 100.0 * static_cast<double>(score.overlooked.size()) /
                                        static_cast<double>(nouns.sentences.held_out.size()));
        }
        const auto range = [](std::vector<double> values, const char* format) {
            std::sort(values.begin(), values.end());
            return fmt::format(fmt::runtime(format), values[1], values[0], values[2]);
        };
        fmt::print(show.out, "  {:<8} {:>12} {:>26} {:>26}\n", heads, range(accuracy, "{:.1f}"),
                   range(weight, "{:.2f} ({:.2f} to {:.2f})"), range(above, "{:.0f} % ({:.0f} to {:.0f})"));
    }
    show.trace.note(
        "the middle of three seeds, and the lowest and highest; the weight is the mean over the heads");
}

}  // namespace tfs
