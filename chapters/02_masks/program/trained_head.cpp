// chapters/02_masks/program/trained_head.cpp · the trained head of chapter 01 under masks, and the puzzle's mask
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

// None for a word that it does not know: then a note says so.
std::optional<NounFinder> trained_head(Report& report, const Tokens& words) {
    return trained_or_reason(report, "there is nothing to compare",
                             [&] { return trained_noun_finder(words); });
}

// What the last of some words looks at under masks: a row for each.
struct UnderMasks {
    const NounFinder& model;
    const Tokens& words;
    Table table;

    UnderMasks(const NounFinder& head, const Tokens& sentence, const char* masks)
        : model(head),
          words(sentence),
          table{.columns = {{masks},
                            {fmt::format("\"{}\" looks at", sentence.back())},
                            {"weight", fixed(2)},
                            {"the model answers"}}} {}

    NounGuess add(const std::string& name, const Mask& mask) {
        NounGuess guess = guess_noun(model, words, mask);
        table.add({name, words[guess.most], guess.weights[guess.most], guess.noun});
        return guess;
    }
};

// Whether the last word may look at this one.
bool sees(const Mask& mask, const Tokens& words, const std::string& word) {
    const xt::xarray<bool> allowed = map_of(mask, words.size(), words.size());
    for (std::size_t j = 0; j < words.size(); ++j)
        if (words[j] == word && allowed(words.size() - 1, j)) return true;
    return false;
}

Report show_one_head(const Request& request) {
    Report report;
    const Tokens words = request.words(options::text);
    const auto model = trained_head(report, words);
    if (!model) return report;
    const std::size_t seq = words.size(), window = request[options::window];
    const std::pair<std::string, Mask> masks[] = {
        {"no mask", Mask::from({1, 1, 1, 1}, {1})},
        {"causal", causal_mask(seq)},
        {fmt::format("window {}", window), sliding_window_mask(seq, window)}};
    UnderMasks under(*model, words, "mask");
    HeatMapPanel strips{.values = Array::from_shape({std::size(masks), seq}),
                        .columns = words,
                        .allowed = xt::xarray<bool>::from_shape({std::size(masks), seq})};
    for (std::size_t i = 0; i < std::size(masks); ++i) {
        const auto& [name, mask] = masks[i];
        const NounGuess guess = under.add(name, mask);
        const xt::xarray<bool> allowed = map_of(mask, seq, seq);
        for (std::size_t j = 0; j < seq; ++j) {
            strips.values(i, j) = guess.weights[j];
            (*strips.allowed)(i, j) = allowed(seq - 1, j);
        }
        strips.rows.push_back(name);
        strips.answers.push_back((sees(mask, words, guess.noun) ? "finds " : "noun hidden: guesses ") +
                                 guess.noun);
    }
    report.add(under.table);
    report.add(HeatMapFigure{
        .name = "attention",
        .title = fmt::format("\"{}\" looks for its noun; where a mask hides the noun, it can only guess",
                             words.back()),
        .row_axis = "mask",
        .column_axis = fmt::format("what \"{}\" looks at (grey: hidden by the mask)", words.back()),
        .panels = {strips},
        .panels_per_row = 1,
        .caption = fmt::format("Each row has the weights of \"{}\" under one mask. On the right: the noun "
                               "that the head finds, or guesses if it does not see one.",
                               words.back())});
    return report;
}

// The noun, hidden by a window, as a global token.
Report show_puzzle(const Request& request) {
    Report report;
    const Tokens words = request.words(options::text);
    const auto model = trained_head(report, words);
    if (!model) return report;
    const std::size_t window = request[options::window], seq = words.size();
    const std::size_t place = guess_noun(*model, words).most;
    const std::string& noun = words[place];
    const Mask near = sliding_window_mask(seq, window, Window::symmetric),
               with_noun = longformer_mask(near, global_queries(seq, {place}), global_keys(seq, {place}));
    UnderMasks under(*model, words, "mask of the puzzle");
    under.add(fmt::format("window {} on both sides", window), near);
    under.add(fmt::format("and \"{}\" is global", noun), with_noun);
    report.add(under.table);
    report.add(HeatMapFigure{
        .name = "longformer",
        .title = sees(near, words, noun)
                     ? fmt::format("Everybody may read a global \"{}\"", noun)
                     : fmt::format("The window hides \"{0}\" from \"{1}\"; a global \"{0}\" is seen by all "
                                   "words",
                                   noun, words.back()),
        .panels = {mask_panel(fmt::format("symmetric window {}", window), near, words, words),
                   mask_panel(fmt::format("the window, and \"{}\" is global", noun), with_noun, words,
                              words)},
        .caption = fmt::format("On the right the same window, and \"{}\" is global: everybody may read "
                               "it (its column), and it may read everybody (its row).",
                               noun)});
    return report;
}

}  // namespace

Sections trained_head_sections() {
    return {{"one-head", "One head under each mask", show_one_head, {options::text, options::window}}};
}

// At the end of the lesson.
Sections puzzle_sections() {
    return {
        {"puzzle", "The puzzle: a window and a global token", show_puzzle, {options::text, options::window}}};
}

}  // namespace tfs
