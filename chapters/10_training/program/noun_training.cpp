// chapters/10_training/program/noun_training.cpp · the training of the first model as it is shown, and how its map grew
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <cmath>

#include "chapters/10_training/program/sections.hpp"

namespace tfs {

namespace {

// Sentences, their number, and the loss of the model before its first step, beside that of a guess by chance.
void show_noun_task(Show& show, const NounTask& nouns) {
    const NounSentences& sentences = nouns.sentences;
    for (std::size_t i = 0; i < 3; ++i) {
        const NounSentence& sentence = sentences.training[i];
        fmt::print(show.out, "  {:<58} {}\n", fmt::format("{}", fmt::join(sentence.words, " ")),
                   sentence.words[sentence.noun]);
    }
    const std::size_t words = sentences.vocabulary.size();
    fmt::print(show.out,
               "  {} sentences to learn from; {} held out, whose pairs of nouns never occur in them.\n"
               "  The model: {} words, {} parameters, {} head{} of attention, untrained.\n",
               sentences.training.size(), sentences.held_out.size(), words,
               count_parameters(nouns.model.parameters()), nouns.model.attention.num_heads,
               nouns.model.attention.num_heads == 1 ? "" : "s");
    const Evaluation untrained = evaluate(nouns.task.model, nouns.task.held_out);
    fmt::print(show.out,
               "  Before the first step: loss {:.2f}, {:.1f} % right. A guess among {} words costs ln {} = "
               "{:.2f}.\n",
               untrained.loss, 100.0 * untrained.accuracy, words, words,
               std::log(static_cast<double>(words)));
}

std::vector<float> row_of(const NounFinder& model, const char* last_word) {
    std::vector<std::string> sentence = tired_cat;
    sentence.back() = last_word;
    return guess_noun(model, sentence).weights;
}

bool is_drawn(std::size_t step, std::size_t last) {
    return (step <= 100 && step % 20 == 0) || step % 100 == 0 || step == last;
}

void show_trained(Show& show, const NounTask& nouns, const GrowingMap& growth) {
    if (show.on_own_steps()) show_time_shares(show, nouns);
    const NounScore score = score_of(nouns.model, nouns.sentences.held_out);
    show.section("What its attention learned", [&] {
        show.figures.save(show_trained_maps(show, nouns, score));
        show.figures.save(growth_figure(growth));
    });
    show.section("What the map doesn't show", [&] {
        if (const auto figure = show_overlooked(show, nouns, score)) show.figures.save(*figure);
    });
}

}  // namespace

ShownTraining shown_nouns(Show& show, const TaskOptions& options) {
    const auto nouns = std::make_shared<const NounTask>(noun_task(options));
    const auto growth = std::make_shared<GrowingMap>();
    return {.task = nouns->task,
            .title = "The task: which noun does the last word speak of?",
            .introduce = [&show, nouns] { show_noun_task(show, *nouns); },
            .at_step =
                [nouns, growth](std::size_t step) {
                    if (!is_drawn(step, nouns->task.plan.steps)) return;
                    growth->steps.push_back(step);
                    growth->tired.push_back(row_of(nouns->model, "tired"));
                    growth->soft.push_back(row_of(nouns->model, "soft"));
                },
            .finish =
                [&show, nouns, growth, options] {
                    show_trained(show, *nouns, *growth);
                    show.deeper("Claim: with more heads, one map says less",
                                [&] { compare_heads(show, options); });
                }};
}

}  // namespace tfs
