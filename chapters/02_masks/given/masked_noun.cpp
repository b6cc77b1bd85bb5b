// chapters/02_masks/given/masked_noun.cpp · the trained head of chapter 01 under a mask, given
#include "chapters/02_masks/given/masked_noun.hpp"

#include <algorithm>

namespace tfs {

MaskedNoun noun_under(const NounFinder& model, const std::vector<std::string>& sentence,
                      const std::optional<Mask>& mask) {
    const NoGrad no_grad;
    const Tensor x = model.embedding(model.ids_of(sentence));
    const auto [output, weights] = model.attention(x, x, x, mask);
    const std::size_t last = sentence.size() - 1;
    std::size_t most = 0;
    for (std::size_t key = 1; key < sentence.size(); ++key)
        if (weights.at({0, 0, last, key}) > weights.at({0, 0, last, most})) most = key;
    const Tensor scores = model.output(slice(output, 1, last, last + 1));
    const auto values = scores.values();
    const auto best = std::max_element(values.begin(), values.end()) - values.begin();
    return {weights, sentence[most], weights.at({0, 0, last, most}),
            model.words[static_cast<std::size_t>(best)]};
}

Ids padded_ids(const NounFinder& model, const std::vector<std::vector<std::string>>& sentences,
               std::int64_t padding) {
    Ids all = Ids::from_shape({sentences.size(), sentences.at(0).size()});
    for (std::size_t b = 0; b < sentences.size(); ++b)
        for (std::size_t i = 0; i < all.shape()[1]; ++i) {
            const std::string& word = sentences[b].at(i);
            all(b, i) = word == "<pad>" ? padding : model.ids_of({word})(0, 0);
        }
    return all;
}

}  // namespace tfs
