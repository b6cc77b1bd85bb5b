// chapters/10_training/program/noun_task.cpp · the task, and a guess by chance
#include "chapters/10_training/program/sections.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <cmath>

namespace tfs {

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

}  // namespace tfs
