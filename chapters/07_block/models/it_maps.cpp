// chapters/07_block/models/it_maps.cpp · what the blocks of the trained reader of "it" look at
#include "chapters/07_block/models/it_maps.hpp"

#include <algorithm>

namespace tfs {

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

}  // namespace tfs
