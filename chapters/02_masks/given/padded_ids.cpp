// chapters/02_masks/given/padded_ids.cpp · sentences of different lengths in one batch, given
#include "chapters/02_masks/given/padded_ids.hpp"

namespace tfs {

Ids padded_ids(const NounFinder& model, const std::vector<std::vector<std::string>>& sentences,
               std::int64_t padding) {
    Ids all = Ids::from_shape({sentences.size(), sentences.at(0).size()});
    for (std::size_t b = 0; b < sentences.size(); ++b)
        for (std::size_t i = 0; i < all.shape()[1]; ++i) {
            const std::string& word = sentences[b].at(i);
            all(b, i) = word == "<pad>" ? padding : model.tokenizer.encode(Tokens{word})(0, 0);
        }
    return all;
}

}  // namespace tfs
