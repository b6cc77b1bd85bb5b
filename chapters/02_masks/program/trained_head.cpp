// chapters/02_masks/program/trained_head.cpp · the trained head of chapter 01 under masks, and the puzzle's mask
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

// None where it can't do what is asked: then a note says why.
std::optional<NounFinder> trained_head(Report& report, const Request& request, const std::string& instead) {
    return trained_or_reason(report, instead, [&] {
        const std::size_t heads = request[options::heads], d_model = request[options::d_model];
        if (heads != options::heads.value || d_model != options::d_model.value)
            throw ValueError(fmt::format("no trained head for --heads {} and --d-model {}", heads, d_model));
        return trained_noun_finder(request.words(options::text));
    });
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

    NounGuess add(const std::string& name, const std::optional<Mask>& mask) {
        NounGuess guess = guess_noun(model, words, mask);
        table.add({name, words[guess.most], guess.weights[guess.most], guess.noun});
        return guess;
    }
};

// Whether the last word may look at this one.
bool sees(const xt::xarray<bool>& allowed, const Tokens& words, const std::string& word) {
    for (std::size_t j = 0; j < words.size(); ++j)
        if (words[j] == word && allowed(words.size() - 1, j)) return true;
    return false;
}

Report show_under_each_mask(const NounFinder& model, const Request& request) {
    const Tokens words = request.words(options::text);
    const std::size_t seq = words.size();
    const std::size_t window = request[options::window];
    const std::pair<std::string, Mask> masks[] = {
        {"no mask", Mask::from({1, 1, 1, 1}, {1})},
        {"causal", causal_mask(seq)},
        {fmt::format("window {}", window), sliding_window_mask(seq, window)}};
    UnderMasks under(model, words, "mask");
    HeatMapPanel strips{.title = "",
                        .values = Array::from_shape({std::size(masks), seq}),
                        .columns = words,
                        .allowed = xt::xarray<bool>::from_shape({std::size(masks), seq})};
    for (std::size_t i = 0; i < std::size(masks); ++i) {
        const auto& [name, mask] = masks[i];
        const NounGuess guess = under.add(name, mask);
        const xt::xarray<bool> allowed = map_of(mask, 0, seq, seq);
        for (std::size_t j = 0; j < seq; ++j) {
            strips.values(i, j) = guess.weights[j];
            (*strips.allowed)(i, j) = allowed(seq - 1, j);
        }
        strips.rows.push_back(name);
        strips.answers.push_back(sees(allowed, words, guess.noun) ? "finds " + guess.noun
                                                                  : "noun hidden: guesses " + guess.noun);
    }
    Report report;
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

Report show_one_head(const Request& request) {
    Report report;
    const auto model =
        request[options::untrained] ? std::nullopt : trained_head(report, request, "the weights are random");
    report.add(model ? show_under_each_mask(*model, request) : untrained_under_each_mask(request));
    return report;
}

// The noun, hidden by a window, as a global token.
Report show_puzzle(const Request& request) {
    Report report;
    const auto model = trained_head(report, request, "without a trained head there is nothing to compare");
    if (!model) return report;
    const Tokens words = request.words(options::text);
    const std::size_t window = request[options::window], seq = words.size();
    const std::size_t place = guess_noun(*model, words).most;
    const std::string& noun = words[place];
    UnderMasks under(*model, words, "mask of the puzzle");
    HeatMapFigure figure{
        .name = "longformer",
        .title = fmt::format("Everybody may read a global \"{}\"", noun),
        .caption = fmt::format("On the right the same window, and \"{}\" is global: everybody may read "
                               "it (its column), and it may read everybody (its row).",
                               noun)};
    const auto add = [&](const std::string& name, const std::string& title, const Mask& mask) {
        const xt::xarray<bool> allowed = map_of(mask, 0, seq, seq);
        under.add(name, mask);
        if (!sees(allowed, words, noun))
            figure.title =
                fmt::format("The window hides \"{0}\" from \"{1}\"; a global \"{0}\" is seen by all words",
                            noun, words.back());
        figure.panels.push_back(mask_panel(title, allowed, words, words));
    };
    const Mask near = sliding_window_mask(seq, window, Window::symmetric);
    add(fmt::format("window {} on both sides", window), fmt::format("symmetric window {}", window), near);
    const std::string global = fmt::format("and \"{}\" is global", noun);
    add(global, fmt::format("the window, and \"{}\" is global", noun),
        longformer_mask(near, global_queries(seq, {place}), global_keys(seq, {place})));
    report.add(under.table);
    report.add(figure);
    return report;
}

}  // namespace

Sections trained_head_sections() {
    return {{"one-head",
             "One head under each mask",
             show_one_head,
             {options::text, options::window, options::heads, options::d_model, options::untrained,
              options::seed}},
            {"puzzle",
             "The puzzle: a window and a global token",
             show_puzzle,
             {options::text, options::window, options::heads, options::d_model}}};
}

}  // namespace tfs
