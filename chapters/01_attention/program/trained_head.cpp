// chapters/01_attention/program/trained_head.cpp · a head that chapter 10 trained: what one row of its map says
#include "chapters/01_attention/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/01_attention/given/noun_finder.hpp"

namespace tfs {

namespace {

void print_row(Show& show, const NounFinder& model, const Tokens& sentence) {
    const NounGuess guess = guess_noun(model, sentence);
    const auto most = std::max_element(guess.weights.begin(), guess.weights.end());
    show.trace.note(
        fmt::format("{} attends most to {}: weight {:.2f}; the model answers \"{}\"", sentence.back(),
                    sentence[static_cast<std::size_t>(most - guess.weights.begin())], *most, guess.noun));
}

}  // namespace

void show_trained_head(Show& show) try {
    const NounFinder model = load_noun_finder(weights_file("nouns"));
    Tokens last_words = {show.tokens.back()};
    if (last_words[0] == "tired")
        last_words.push_back("soft");  // the sentence of the lesson, with another end
    Tokens sentence = show.tokens;
    for (const std::string& word : last_words) {
        sentence.back() = word;
        print_row(show, model, sentence);
    }
    show.figures.save(noun_maps(model, show.tokens, last_words));
} catch (const Error& error) {
    show.trace.note(std::string(error.what()) + "; no trained map of this text");
}

}  // namespace tfs
