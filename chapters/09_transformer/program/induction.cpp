// chapters/09_transformer/program/induction.cpp · the puzzle: what the two layers with weights by hand look at, and what they write
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/given/ids_and_masks.hpp"
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

// words[id]: the 16 tokens.
const std::vector<std::string> words_by_id{"<start>", "a",   "big", "old", "dog", "ran", "to", "the",
                                           "cat",     "sat", "on",  "mat", "red", "his", "in", "and"};
constexpr std::size_t again = 7;  // from this position on the prompt has tokens that it had before
constexpr std::size_t back = 5;   // to the token after the earlier copy

Ids prompt_ids() { return {{0, 1, 2, 3, 4, 5, 6, 1, 2, 3}}; }
// The prompt, and how it must go on.
Ids whole_ids() { return {{0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}}; }

Tokens words_of(const Ids& ids) {
    Tokens words;
    for (const std::int64_t id : ids) words.push_back(words_by_id[static_cast<std::size_t>(id)]);
    return words;
}

// What the model says after the prompt, and after each token that must follow: the greedy text, if all of them are right.
Tokens words_after_prompt(const InductionModel& model) {
    const Ids text = whole_ids();
    const Tensor logits = run_induction(model, text).logits;
    Tokens words;
    for (std::size_t i = prompt_ids().size(); i < text.size(); ++i)
        words.push_back(words_by_id[static_cast<std::size_t>(greedy_token(slice(logits, 1, i - 1, i)))]);
    return words;
}

// The smallest weight, from row `first` on, on the key that is `distance` before the query.
float smallest_weight(const Array& weights, std::size_t first, std::size_t distance) {
    float least = INFINITY;
    for (std::size_t i = first; i < weights.shape(0); ++i) least = std::min(least, weights(i, i - distance));
    return least;
}

HeatMapPanel panel_of(const char* title, const Array& weights, const Tokens& words, std::size_t first) {
    HeatMapPanel panel{.title = title, .values = weights, .rows = words, .columns = words};
    panel.allowed = causal_mask(words.size()).array();
    panel.allowed->reshape({words.size(), words.size()});
    for (std::size_t i = first; i < words.size(); ++i) panel.meant.push_back(i);
    return panel;
}

Report show_induction(const Request&) {
    const InductionModel model = induction_head();
    const Ids prompt = prompt_ids();
    const Tokens words = words_of(prompt);
    const InductionRun run = run_induction(model, prompt);
    Report report;
    report.quote(fmt::format("{} | {}", fmt::join(words, " "), fmt::join(words_after_prompt(model), " ")));
    report.note(fmt::format("smallest weight on the right key: {:.3f} in layer 1, {:.3f} in layer 2",
                            smallest_weight(run.first_weights, 1, 1),
                            smallest_weight(run.second_weights, again, back)));
    report.add(HeatMapFigure{
        .name = "induction",
        .title = "An induction head, by hand",
        .panels = {panel_of("layer 1: the token before", run.first_weights, words, 1),
                   panel_of("layer 2: what followed the last time", run.second_weights, words, again)},
        .caption = "Drawn from the weights of the puzzle. Left: each token looks at the one before it and "
                   "notes it. Right: a token that was there before looks at the token that followed it; "
                   "the last row says \"dog\". Pale rows have nothing to find.",
        .largest = 1.0});
    return report;
}

}  // namespace

Section induction() {
    return {.id = "induction", .title = "Puzzle: an induction head", .run = show_induction};
}

}  // namespace tfs
