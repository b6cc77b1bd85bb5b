// chapters/07_block/program/attention_maps.cpp · the attention of trained blocks, or of untrained ones on the sentence
#include "chapters/07_block/program/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chapters/07_block/models/it_maps.hpp"
#include "common/program/trained.hpp"

namespace tfs {

namespace {

// The weights of one block, a map for each of its first heads.
std::vector<HeatMapPanel> block_panels(const Show& show, const std::string& name, const BlockConfig& config,
                                       const Tensor& x, const std::optional<Mask>& mask, std::size_t heads) {
    const bool narrow = show.tokens.size() == 1;  // no room for the names
    const Tensor weights = sentence_block(show, config)(x, mask, with_weights).weights;
    std::vector<HeatMapPanel> panels;
    for (std::size_t h = 0; h < heads; ++h) {
        const std::string title = fmt::format("{}head {}", narrow ? "" : name + ", ", h + 1);
        panels.push_back(attention_panel(title, weights, h, show.tokens, show.tokens, mask));
    }
    return panels;
}

// The sentence of the trained model where --text has its default, with two last words.
std::vector<Tokens> sentences_to_map(const Show& show) {
    if (show.options.text != SharedOptions{}.text) return {show.tokens};
    return {split_words("the dog chased the cat because it was hungry"),
            split_words("the dog chased the cat because it was weak")};
}

}  // namespace

HeatMapFigure show_untrained_attention(Show& show, const Sentence& sentence) {
    const NoGrad no_grad;
    const std::size_t heads = show.options.heads, shown_heads = 1;
    HeatMapFigure figure{
        .name = "attention",
        .title = fmt::format("Attention of untrained blocks, head 1{}; grey cells are masked",
                             heads > 1 ? fmt::format(" of {}", heads) : ""),
        .panels_per_row = 2,
        .caption =
            "Under a causal mask a query sees itself and what comes before it; grey cells are masked. Each "
            "row is a query and sums to 1; values under .05 are not written. The blocks are untrained: the "
            "patterns mean nothing."};
    const auto add = [&](const std::string& name, const BlockConfig& config, const Tensor& x,
                         const std::optional<Mask>& mask) {
        for (HeatMapPanel& panel : block_panels(show, name, config, x, mask, shown_heads))
            figure.panels.push_back(std::move(panel));
    };
    const BlockConfig pre = sentence_config(show, NormPosition::pre);
    const Mask causal = causal_mask(show.tokens.size());
    add("pre-norm", pre, sentence.x, std::nullopt);
    add("pre-norm, causal", pre, sentence.x, causal);
    add("post-norm", sentence_config(show, NormPosition::post), sentence.x, std::nullopt);
    add("LLaMA's, causal", llama_sentence_config(show), sentence.words, causal);
    const HeatMapPanel& shown = figure.panels.front();
    print_heat_map(show.out, shown.values,
                   {.title = shown.title, .rows = show.tokens, .columns = show.tokens}, show.style);
    return figure;
}

std::optional<HeatMapFigure> show_trained_attention(Show& show) {
    return trained_or_reason(show, "the maps are those of random weights", [&] {
        if (show.options.heads != SharedOptions{}.heads || show.options.d_model != SharedOptions{}.d_model)
            throw ValueError(fmt::format("no trained blocks for --heads {} and --d-model {}",
                                         show.options.heads, show.options.d_model));
        const auto reader = load_network<ItReader>(weights_file("it"), it_reader_kind());
        std::vector<ItMaps> all;
        for (const Tokens& sentence : sentences_to_map(show)) all.push_back(it_maps(reader, sentence));
        for (const ItMaps& one : all)
            for (std::size_t block = 0; block < one.weights.size(); ++block)
                show.trace.note(fmt::format("… {}, block {}: \"it\" looks at {} ({:.2f})",
                                            one.sentence.back(), block + 1, one.word(block),
                                            one.weight(block)));
        return it_blocks_figure(all);
    });
}

}  // namespace tfs
