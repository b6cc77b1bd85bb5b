// chapters/01_attention/program/trained_head.cpp · a head that chapter 10 trained: what one row of its map says
#include "chapters/01_attention/program/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/01_attention/given/noun_finder.hpp"

namespace tfs {

namespace {

// "tired looks at cat (0.94)": the word to which the last one attends most.
std::string in_words(const NounFinder& model, const Tokens& sentence) {
    const std::vector<float> weights = guess_noun(model, sentence).weights;
    const auto most = std::max_element(weights.begin(), weights.end());
    return fmt::format("{} looks at {} ({:.2f})", sentence.back(),
                       sentence[static_cast<std::size_t>(most - weights.begin())], *most);
}

}  // namespace

void show_trained_head(Show& show) try {
    const NounFinder model = load_noun_finder(weights_file("nouns"));
    Tokens last_words = {show.tokens.back()};
    if (last_words[0] == "tired")
        last_words.push_back("soft");  // the sentence of the lesson, with another end
    std::vector<std::string> rows;
    Tokens sentence = show.tokens;
    for (const std::string& word : last_words) {
        sentence.back() = word;
        rows.push_back(in_words(model, sentence));
    }
    rows.push_back(fmt::format("the model answers \"{}\"", guess_noun(model, show.tokens).noun));
    show.trace.note(fmt::format("{}", fmt::join(rows, ", ")));
    show.figures.save(noun_maps(model, show.tokens, last_words));
} catch (const Error& error) {
    show.trace.note(std::string(error.what()) + "; no trained map of this text");
}

}  // namespace tfs
