// chapters/07_block/program/attention_maps.cpp · the attention of trained blocks, or of untrained ones on the sentence
#include <fmt/format.h>

#include <algorithm>

#include "chapters/07_block/models/it_maps.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

// The weights of the first head of untrained blocks. The map of the first block stands in the terminal, too.
Report untrained_report(const Request& request) {
    const NoGrad no_grad;
    const Sentence sentence = embed_sentence(request);
    const Tokens& tokens = sentence.tokens;
    const std::size_t heads = request[options::heads];
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
        const Tensor weights = sentence_block(request, config)(x, mask, with_weights).weights;
        const std::string title = tokens.size() == 1 ? "head 1" : name + ", head 1";  // one cell is narrow
        figure.panels.push_back(attention_panel(title, weights, 0, tokens, tokens, mask));
    };
    const BlockConfig pre = sentence_config(request, NormPosition::pre);
    const Mask causal = causal_mask(tokens.size());
    add("pre-norm", pre, sentence.x, std::nullopt);
    add("pre-norm, causal", pre, sentence.x, causal);
    add("post-norm", sentence_config(request, NormPosition::post), sentence.x, std::nullopt);
    add("LLaMA's, causal", llama_sentence_config(request), sentence.words, causal);
    Report report;
    const HeatMapPanel& first = figure.panels.front();
    report.add(Map{first.values, {.title = first.title, .rows = tokens, .columns = tokens}});
    report.add(figure);
    return report;
}

// The head in which a word looks most at the last one.
std::size_t head_for_last_word(const Tensor& weights, std::size_t word) {
    std::size_t most = 0;
    const std::size_t last = weights.size(-1) - 1;
    for (std::size_t head = 1; head < weights.size(1); ++head)
        if (weights.at({0, head, word, last}) > weights.at({0, most, word, last})) most = head;
    return most;
}

// Above, the last block: "it" looks at a word. Below, the first one: what this word reads of the last word.
ArcFigure it_blocks_figure(const std::vector<ItMaps>& maps) {
    ArcFigure figure{.name = "attention",
                     .title = "In block 1 the animal reads the last word; in block 2 \"it\" finds the animal",
                     .caption =
                         "A model of two blocks was trained to say which animal \"it\" is. An arrow points "
                         "from a word to the one that it reads. Begin below: in block 1 both animals read "
                         "the last word; the arrow of the correct one is drawn. In block 2 \"it\" reads the "
                         "correct animal. The numbers are attention weights of the head that is named."};
    for (const ItMaps& one : maps) {
        const std::size_t last = one.sentence.size() - 1, it = place_of_it(one.sentence);
        const std::size_t animal = most_seen(one.weights.back(), it);
        const std::size_t head = head_for_last_word(one.weights.front(), animal);
        const std::vector<Arc> reading{{animal, last, one.weights.front().at({0, head, animal, last})}};
        std::vector<Arc> finding;
        for (std::size_t i = 0; i < last; ++i)
            finding.push_back({it, i, one.weights.back().at({0, 0, it, i})});
        figure.panels.push_back({.title = "… it was " + one.sentence.back(),
                                 .words = one.sentence,
                                 .storeys = {reading, finding},
                                 .names = {fmt::format("block 1, head {}: \"{}\" reads \"{}\"", head + 1,
                                                       one.sentence[animal], one.sentence.back()),
                                           fmt::format("block {}, head 1: \"it\" finds \"{}\"",
                                                       one.weights.size(), one.sentence[animal])}});
    }
    return figure;
}

// The sentence that is asked for; in place of the default one of the trained model, with two last words.
std::vector<Tokens> sentences_to_map(const Request& request) {
    if (request[options::text] != options::text.value) return {request.words(options::text)};
    return {split_words("the wolf attacked the mouse because it was hungry"),
            split_words("the wolf attacked the mouse because it was weak")};
}

std::vector<ItMaps> trained_maps(const Request& request) {
    const std::size_t heads = request[options::heads], d_model = request[options::d_model];
    if (heads != options::heads.value || d_model != options::d_model.value)
        throw ValueError(fmt::format("no trained blocks for --heads {} and --d-model {}", heads, d_model));
    const auto reader = load_network<ItReader>(weights_file("it"), it_reader_kind());
    std::vector<ItMaps> all;
    for (const Tokens& sentence : sentences_to_map(request)) all.push_back(it_maps(reader, sentence));
    return all;
}

// Two blocks that chapter 10 trained, where they can do what is asked; else a line that says why not.
Report show_trained_attention(const Request& request) {
    Report report;
    const auto maps = trained_or_reason(report, "untrained blocks read any words (--untrained)",
                                        [&] { return trained_maps(request); });
    if (!maps) return report;
    for (const ItMaps& one : *maps)
        for (std::size_t block = 0; block < one.weights.size(); ++block)
            report.note(fmt::format("… {}, block {}, head 1 of {}: \"it\" looks at {} ({:.2f})",
                                    one.sentence.back(), block + 1, one.weights[block].size(1),
                                    one.word(block), one.weight(block)));
    report.add(it_blocks_figure(*maps));
    return report;
}

}  // namespace

Sections attention_maps_sections() {
    return {{"trained-attention",
             "What two trained blocks look at",
             show_trained_attention,
             {options::text, options::heads, options::d_model, options::seed}},
            {"untrained-attention",
             "What untrained blocks look at",
             untrained_report,
             {options::text, options::heads, options::d_model, options::seed}}};
}

}  // namespace tfs
