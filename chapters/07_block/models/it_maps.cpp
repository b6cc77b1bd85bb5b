// chapters/07_block/models/it_maps.cpp · what the blocks of the trained reader of "it" look at, given
#include "chapters/07_block/models/it_maps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tfs {

namespace {

// "Block 1: "it" looks at "chased"." or, where the sentences differ, "… at "dog" (hungry) and "cat" (weak)."
std::string looks_at(const std::vector<ItMaps>& maps, std::size_t block) {
    const std::string& first = maps.front().word(block);
    const bool alike =
        std::all_of(maps.begin(), maps.end(), [&](const ItMaps& one) { return one.word(block) == first; });
    if (alike) return fmt::format("\"{}\"", first);
    std::string words;
    for (const ItMaps& one : maps)
        words +=
            fmt::format("{}\"{}\" ({})", words.empty() ? "" : " and ", one.word(block), one.sentence.back());
    return words;
}

}  // namespace

std::size_t place_of_it(const std::vector<std::string>& sentence) {
    const auto it = std::find(sentence.begin(), sentence.end(), "it");
    if (it == sentence.end()) throw ValueError("the trained encoder needs the word \"it\"");
    return static_cast<std::size_t>(it - sentence.begin());
}

std::size_t most_seen(const Tensor& weights, std::size_t query) {
    std::size_t most = 0;
    for (std::size_t key = 1; key < weights.size(-1); ++key)
        if (weights.at({0, 0, query, key}) > weights.at({0, 0, query, most})) most = key;
    return most;
}

const std::string& ItMaps::word(std::size_t block) const {
    return sentence.at(most_seen(weights.at(block), place_of_it(sentence)));
}

float ItMaps::weight(std::size_t block) const {
    const std::size_t it = place_of_it(sentence);
    return weights.at(block).at({0, 0, it, most_seen(weights.at(block), it)});
}

ItMaps it_maps(const ItReader& reader, const std::vector<std::string>& sentence) {
    const NoGrad no_grad;
    const Ids ids = reader.encode(sentence);
    (void)place_of_it(sentence);
    return {sentence, reader.read(reader.embed(ids), std::nullopt, with_weights).weights};
}

HeatMapFigure it_blocks_figure(const std::vector<ItMaps>& maps) {
    const std::size_t blocks = maps.front().weights.size();
    HeatMapFigure figure{
        .name = "attention",
        .title = "Attention of trained blocks: which animal is \"it\"? Head 1 of each block",
        .panels_per_row = blocks,
        .caption = fmt::format(
            "A model of two blocks was trained to say which animal \"it\" is. In block 1, the row \"it\" "
            "looks "
            "at {}. Block 2 reads what all rows and heads of block 1 wrote: there, the same row looks at {}. "
            "Rows with grey names "
            "were never asked and mean nothing.",
            looks_at(maps, 0), looks_at(maps, blocks - 1))};
    for (const ItMaps& one : maps)
        for (std::size_t block = 0; block < blocks; ++block)
            figure.panels.push_back(
                attention_panel(fmt::format("… {}: block {}", one.sentence.back(), block + 1),
                                one.weights[block], 0, one.sentence, one.sentence));
    for (std::size_t i = 0; i < maps.size(); ++i)
        figure.panels[(i + 1) * blocks - 1].meant = {place_of_it(maps[i].sentence)};
    return figure;
}

}  // namespace tfs
