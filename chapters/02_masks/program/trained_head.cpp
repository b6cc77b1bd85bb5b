// chapters/02_masks/program/trained_head.cpp · the trained head of chapter 01 under masks, and the puzzle's mask
#include <fmt/format.h>

#include "chapters/02_masks/program/options.hpp"
#include "common/program/trained.hpp"

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

// What the last of some words looks at under masks: a row and a map for each.
struct UnderMasks {
    const NounFinder& model;
    const Tokens& words;
    Table table;
    std::vector<HeatMapPanel> panels = {};

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
        panels.push_back(attention_panel(name, guess.map, 0, words, words, mask));
        panels.back().meant = {words.size() - 1};
        return guess;
    }
};

Report show_under_each_mask(const NounFinder& model, const Request& request) {
    const Tokens words = request.words(options::text);
    UnderMasks under(model, words, "mask");
    const NounGuess free = under.add("no mask", std::nullopt);
    std::string misled;  // the masks under which the model answers something else
    for (const NamedMask& one : masks_of_text(request))
        if (const NounGuess guess = under.add(one.name, one.mask); guess.noun != free.noun)
            misled += fmt::format("{}{} (\"{}\")", misled.empty() ? "" : ", ", one.name, guess.noun);
    Report report;
    report.add(under.table);
    report.add(HeatMapFigure{
        .name = "attention",
        .title = "The trained head of chapter 01 under each mask",
        .panels = under.panels,
        .panels_per_row = 3,
        .caption = fmt::format("Look at the last row. Without a mask \"{}\" looks at \"{}\". Where a mask "
                               "hides this word, the weight goes to another one, and the answer changes: {}. "
                               "Grey cells are masked. Rows with grey names mean nothing.",
                               words.back(), words[free.most], misled.empty() ? "none" : misled)});
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
    const Mask joined = longformer_mask(seq, window, {place});
    under.add(fmt::format("window {} on both sides", window), longformer_mask(seq, window, {}));
    under.add(fmt::format("\"{}\" is global, too", noun), joined);
    under.panels.insert(under.panels.begin(),
                        mask_panel("the mask", map_of(joined, 0, seq, seq), words, words));
    report.add(under.table);
    report.add(HeatMapFigure{
        .name = "longformer",
        .title = fmt::format("Window {}, and \"{}\" as a global token", window, noun),
        .panels = under.panels,
        .panels_per_row = 3,
        .caption = fmt::format("Left, the mask: a band for the window, a row and a column for \"{}\". "
                               "Middle, the trained head under the window alone. Right, under the whole "
                               "mask: look at the last row. The paler rows mean nothing.",
                               noun)});
    return report;
}

}  // namespace

Section one_head_under_each_mask() {
    return {.id = "one-head",
            .title = "One head under each mask",
            .options = {options::text, options::window, options::heads, options::d_model, options::untrained,
                        options::seed},
            .run = show_one_head};
}

Section window_and_global_token() {
    return {.id = "puzzle",
            .title = "The puzzle: a window and a global token",
            .options = {options::text, options::window, options::heads, options::d_model},
            .run = show_puzzle};
}

}  // namespace tfs
