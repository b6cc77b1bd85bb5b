// chapters/10_training/models/it_insides.hpp · what the halves and the heads of the trained reader of "it" do
#pragma once

#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/10_training/models/it_sentences.hpp"

namespace tfs {

// The stream at "it" behind the embedding, and behind each half of each block: means over the sentences.
struct ItHalf {
    std::string name;     // "embedding", "block 1, attention", …
    double added = 0.0;   // root mean square of what it adds
    double stream = 0.0;  // … and of the stream with it
    double right = 0.0;   // how often the final norm and the output, read here, give the right noun
};
[[nodiscard]] std::vector<ItHalf> halves_of(const ItReader& model, const std::vector<ItSentence>& sentences);

// A head, in the mean over the sentences. block, head: from 0
struct ItHead {
    std::size_t block = 0, head = 0;
    double nouns_to_last = 0.0;  // the weight that a noun gives to the last word
    double it_to_right = 0.0, it_to_other = 0.0,
           it_to_action = 0.0;   // the weights that "it" gives to nouns and verb
    double right_without = 0.0;  // how often the model is right, if this head gives nothing
};
[[nodiscard]] std::vector<ItHead> heads_of(const ItReader& model, const std::vector<ItSentence>& sentences);

// How often the model is right.
[[nodiscard]] double accuracy_of(const ItReader& model, const std::vector<ItSentence>& sentences);

}  // namespace tfs
