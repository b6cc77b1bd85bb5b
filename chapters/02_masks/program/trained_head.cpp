// chapters/02_masks/program/trained_head.cpp · the trained head of chapter 01 under masks
#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/02_masks/given/padded_ids.hpp"
#include "chapters/02_masks/program/sections.hpp"
#include "common/program/trained.hpp"

namespace tfs {

namespace {

// "window 3 (mouse)": the masks under which the model answers something else than without a mask.
std::string in_words(const std::vector<std::pair<std::string, std::string>>& mask_and_answer) {
    std::string words;
    for (const auto& [mask, answer] : mask_and_answer)
        words += fmt::format("{}{} (\"{}\")", words.empty() ? "" : ", ", mask, answer);
    return words.empty() ? "none" : words;
}

}  // namespace

std::optional<NounFinder> load_trained_head(Show& show) {
    return trained_or_reason(show, "the weights are random", [&] {
        if (show.options.heads != SharedOptions{}.heads || show.options.d_model != SharedOptions{}.d_model)
            throw ValueError(fmt::format("no trained head for --heads {} and --d-model {}",
                                         show.options.heads, show.options.d_model));
        const auto model = load_network<NounFinder>(weights_file("nouns"), noun_finder_kind());
        (void)model.tokenizer.encode(show.tokens);
        return model;
    });
}

HeatMapFigure draw_trained_attention(Show& show, const std::vector<NamedMask>& masks,
                                     const NounFinder& model) {
    const Tokens& words = show.tokens;
    const NounGuess free = guess_noun(model, words);
    HeatMapFigure figure{
        .name = "attention", .title = "The trained head of chapter 01 under each mask", .panels_per_row = 3};
    std::vector<std::pair<std::string, std::string>> misled;
    const auto add = [&](const std::string& name, const std::optional<Mask>& mask) {
        const NounGuess under = guess_noun(model, words, mask);
        fmt::print(show.out, "  {:<20} \"{}\" looks at \"{}\" ({:.2f}), the model answers \"{}\"\n", name,
                   words.back(), words[under.most], under.weights[under.most], under.noun);
        if (under.noun != free.noun) misled.emplace_back(name, under.noun);
        figure.panels.push_back(attention_panel(name, under.map, 0, words, words, mask));
        figure.panels.back().meant = {words.size() - 1};
    };
    add("no mask", std::nullopt);
    for (const NamedMask& one : masks) add(one.name, one.mask);
    figure.caption = fmt::format(
        "Look at the last row. Without a mask \"{}\" looks at \"{}\". Where a mask hides this word, the "
        "weight goes to "
        "another one, and the answer changes: {}. Grey cells are masked. Rows with grey names mean nothing.",
        words.back(), words[free.most], in_words(misled));
    return figure;
}

HeatMapFigure draw_longformer(Show& show, std::size_t window, const NounFinder& model) {
    const Tokens& words = show.tokens;
    const std::size_t place = guess_noun(model, words).most, seq = words.size();
    const std::string& noun = words[place];
    HeatMapFigure figure{.name = "longformer",
                         .title = fmt::format("Window {}, and \"{}\" as a global token", window, noun),
                         .panels_per_row = 3};
    const auto add = [&](const std::string& name, const Mask& mask) {
        const NounGuess under = guess_noun(model, words, mask);
        fmt::print(show.out, "  {:<24} \"{}\" looks at \"{}\" ({:.2f}), the model answers \"{}\"\n", name,
                   words.back(), words[under.most], under.weights[under.most], under.noun);
        figure.panels.push_back(attention_panel(name, under.map, 0, words, words, mask));
        figure.panels.back().meant = {seq - 1};
    };
    const Mask joined = longformer_mask(seq, window, {place});
    add(fmt::format("window {} on both sides", window), longformer_mask(seq, window, {}));
    add(fmt::format("\"{}\" is global, too", noun), joined);
    const xt::xarray<bool> map = map_of(joined, 0, seq, seq);
    Array values = Array::from_shape({seq, seq});
    std::copy_n(map.data(), map.size(), values.data());
    figure.panels.insert(figure.panels.begin(), {.title = "the mask",
                                                 .values = values,
                                                 .rows = words,
                                                 .columns = words,
                                                 .allowed = map,
                                                 .scale = ColourScale::yes_no,
                                                 .quantity = "may attend"});
    figure.caption = fmt::format(
        "Left, the mask: a band for the window, a row and a column for \"{}\". Middle, the trained head "
        "under the window alone. Right, under the whole mask: look at the last row. The paler rows mean "
        "nothing.",
        noun);
    return figure;
}

HeatMapFigure draw_trained_cross_attention(Show& show, const NounFinder& model) {
    const NoGrad no_grad;
    const Tokens target = split_words("tired soft hungry wooden");
    const std::vector<Tokens> sources{split_words("the cat sat on the mat"),
                                      split_words("the dog under the table <pad>"),
                                      split_words("bird near box <pad> <pad> <pad>")};
    // The model has no padding of its own, so a number past its words marks it; its vector is masked.
    const auto padding = static_cast<std::int64_t>(model.tokenizer.size());
    Ids ids = padded_ids(model, sources, padding);
    const Mask mask = padding_mask(ids, padding);
    for (std::int64_t& id : ids) id = id == padding ? 0 : id;
    const Tensor source = model.embedding(ids);
    const Tensor queries = model.embedding(padded_ids(model, {target, target, target}, padding));
    const auto [output, weights] = model.attention(queries, source, source, mask);
    show.trace.step("target", queries, {"batch", "query", "d_model"}, "the queries");
    show.trace.step("source", source, {"batch", "key", "d_model"}, "keys and values, padded");
    show.trace.step("weights", weights, {"batch", "heads", "query", "key"},
                    fmt::format("mask {}", to_string(mask.shape())));
    show.trace.step("output", output, {"batch", "query", "d_model"}, "as long as the target");
    show.trace.check_rows_sum_to_one("weights", weights);
    show.trace.masked_cells("weights", mask, {sources.size(), 1, target.size(), sources[0].size()});
    HeatMapFigure figure{
        .name = "cross",
        .title = "Cross-attention to three padded sources: one trained head",
        .row_axis = "target (query)",
        .column_axis = "source (key)",
        .panels_per_row = 3,
        .caption =
            "Each target word finds its noun in each source: \"tired\" and \"hungry\" the animal, \"soft\" "
            "and \"wooden\" the thing. Padding is masked: its columns are grey in every row."};
    for (std::size_t b = 0; b < sources.size(); ++b)
        figure.panels.push_back({.title = fmt::format("source {}", b + 1),
                                 .values = attention_map(weights, b, 0),
                                 .rows = target,
                                 .columns = sources[b],
                                 .allowed = map_of(mask, b, target.size(), sources[b].size())});
    return figure;
}

}  // namespace tfs
