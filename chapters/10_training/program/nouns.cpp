// chapters/10_training/program/nouns.cpp · the first model: its task, and what its attention learned
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/program/shown_task.hpp"

namespace tfs {

namespace {

// The sentence whose maps are shown.
Tokens ending_with(const std::string& last_word) {
    return {"the", "cat", "sat", "on", "the", "mat", "because", "it", "was", last_word};
}

// The loss of the model before its first step, beside that of a guess by chance.
Report untrained_loss(const NounTask& nouns) {
    const Evaluation untrained = evaluate(nouns.task.model, nouns.task.held_out);
    const std::size_t words = nouns.sentences.vocabulary.size();
    return {.items = {Paragraph{fmt::format(
                "Before the first step: loss {:.2f}, {:.1f} % right. A guess among {} words costs ln {} = "
                "{:.2f}.",
                untrained.loss, 100.0 * untrained.accuracy, words, words,
                std::log(static_cast<double>(words)))}}};
}

Report introduction(const NounTask& nouns) {
    const NounSentences& sentences = nouns.sentences;
    Table examples{.title = "Which noun does the last word speak of?", .columns = {{""}, {""}}};
    for (std::size_t i = 0; i < 3; ++i) {
        const NounSentence& sentence = sentences.training[i];
        examples.add({fmt::format("{}", fmt::join(sentence.words, " ")), sentence.words[sentence.noun]});
    }
    const std::size_t heads = nouns.model.attention.num_heads;
    Report report;
    report.add(examples);
    report.note(
        fmt::format("{} sentences to learn from; {} held out, whose pairs of nouns never occur in them.\n"
                    "The model: {} words, {} parameters, {} head{} of attention, untrained.",
                    sentences.training.size(), sentences.held_out.size(), sentences.vocabulary.size(),
                    count_parameters(nouns.model.parameters()), heads, heads == 1 ? "" : "s"));
    report.add(part_or_gap([&] { return untrained_loss(nouns); }));
    return report;
}

// How much the last word attends to each word, at some steps of the training.
struct GrowingMap {
    std::vector<std::size_t> steps = {};
    std::vector<std::vector<float>> tired = {}, soft = {};  // a row for each of these steps

    void add(std::size_t step, const NounFinder& model) {
        steps.push_back(step);
        tired.push_back(guess_noun(model, ending_with("tired")).weights);
        soft.push_back(guess_noun(model, ending_with("soft")).weights);
    }
};

HeatMapPanel growth_panel(const std::string& last_word, const GrowingMap& growth,
                          const std::vector<std::vector<float>>& rows) {
    const Tokens sentence = ending_with(last_word);
    HeatMapPanel panel{"… it was " + last_word, make_array({rows.size(), sentence.size()})};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy(rows[i].begin(), rows[i].end(), panel.values.data() + i * sentence.size());
        panel.rows.push_back(std::to_string(growth.steps[i]));
    }
    panel.columns = sentence;
    return panel;
}

HeatMapFigure growth_figure(const GrowingMap& growth) {
    return {
        .name = "growth",
        .title = "In training, the last word learns to look at its noun",
        .row_axis = "step",
        .panels = {growth_panel("tired", growth, growth.tired), growth_panel("soft", growth, growth.soft)},
        .caption =
            "Each row: what the last word looks at after so many steps (not evenly spaced). Both \"the\" are "
            "equal, because the model sees no order."};
}

HeatMapFigure overlooked_figure(const NounFinder& model, const NounSentence& sentence) {
    const Tokens& words = sentence.words;
    const std::string noun = guess_noun(model, words).noun;
    HeatMapPanel strip = attention_panel("", model.weights(model.tokenizer.encode(words)), 0, words, words);
    strip.meant = {words.size() - 1};
    strip.columns[sentence.noun] = noun + " (answer)";
    strip.answers = {"→ " + noun + ", right"};
    return {
        .name = "overlooked",
        .title = fmt::format("The answer \"{}\" is right, but the head does not look at the {}", noun, noun),
        .row_axis = "last word",
        .column_axis = "",
        .panels = {strip},
        .caption =
            "What the last word looks at, and the answer of the model, which is right. An answer "
            "need not be a word that the head looks at.",
        .largest = 1.0};
}

auto tired_and_soft(const NounFinder& model) {
    const auto map = [&](const Tokens& sentence) {
        return LastWord{sentence, guess_noun(model, sentence).weights};
    };
    ArcFigure figure = last_words_figure("nouns", {map(ending_with("tired")), map(ending_with("soft"))});
    figure.caption += about_tired_and_soft;
    return figure;
}

Report trained_maps(const NounTask& nouns, const NounScore& score) {
    Report report;
    for (const char* last_word : {"tired", "soft"}) {
        const Tokens sentence = ending_with(last_word);
        const NounGuess guess = guess_noun(nouns.model, sentence);
        report.note(fmt::format("{}: speaks of \"{}\"; {} attends most to {} ({:.2f})",
                                fmt::join(sentence, " "), guess.noun, last_word, sentence[guess.most],
                                guess.weights[guess.most]));
    }
    report.note(fmt::format(
        "Over {} held-out sentences: {:.1f} % right; the last word gives its noun a weight of {:.2f} in the "
        "mean.",
        nouns.sentences.held_out.size(), 100.0 * score.accuracy, score.mean_weight));
    report.add(tired_and_soft(nouns.model));
    return report;
}

Report overlooked(const NounTask& nouns, const NounScore& score) {
    std::map<std::string, std::size_t> count_of;  // of those that are named all the same
    const NounSentence* named = nullptr;
    std::size_t right = 0;
    for (const NounSentence& sentence : score.overlooked) {
        const std::string& noun = sentence.words[sentence.noun];
        if (guess_noun(nouns.model, sentence.words).noun != noun) continue;
        ++count_of[noun];
        ++right;
        if (named == nullptr) named = &sentence;
    }
    std::vector<std::string> nouns_named;
    for (const auto& [noun, count] : count_of) nouns_named.push_back(fmt::format("{} times {}", count, noun));
    if (nouns_named.size() > 6) {
        nouns_named.resize(6);
        nouns_named.emplace_back("…");
    }
    Report report;
    report.note(
        fmt::format("In {} of {} sentences the noun gets less than half of the attention.\n"
                    "{} of these answers are right all the same: {}",
                    score.overlooked.size(), nouns.sentences.held_out.size(), right,
                    nouns_named.empty() ? "none" : fmt::format("{}", fmt::join(nouns_named, ", "))));
    if (named != nullptr) report.add(overlooked_figure(nouns.model, *named));
    return report;
}

bool is_drawn(std::size_t step, std::size_t last) {
    return (step <= 100 && step % 20 == 0) || step % 100 == 0 || step == last;
}

Report what_it_learned(const NounTask& nouns, const GrowingMap& growth, bool on_own_steps) {
    const NounScore score = score_of(nouns.model, nouns.sentences.held_out);
    Report report;
    if (on_own_steps) report.add(time_shares(nouns));
    report.add(trained_maps(nouns, score));
    report.add(growth_figure(growth));
    report.add(overlooked(nouns, score));
    return report;
}

}  // namespace

ShownTask shown_nouns(const Request& request) {
    const auto nouns = std::make_shared<const NounTask>(noun_task(task_options(request)));
    const auto growth = std::make_shared<GrowingMap>();
    return {.task = nouns->task,
            .introduce = [nouns] { return introduction(*nouns); },
            .at_step =
                [nouns, growth](std::size_t step) {
                    if (is_drawn(step, nouns->task.plan.steps)) growth->add(step, nouns->model);
                    return Report();
                },
            .finish = [nouns, growth,
                       own = request.on_own_steps] { return what_it_learned(*nouns, *growth, own); }};
}

}  // namespace tfs
