// chapters/10_training/models/it_explanations.hpp · four ways to ask which words an answer came from; what each half and head does
#pragma once

#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/10_training/models/sentences.hpp"

namespace tfs {

// A share for each word of the sentence; they sum to 1.
using Shares = std::vector<float>;

struct ItAnswer {
    std::string noun;          // the word with the largest logit at "it"
    double probability = 0.0;  // of that word
};
[[nodiscard]] ItAnswer answer_of(const ItReader& model, const ItSentence& sentence);

// The row of "it" in a layer's attention map, the mean over the heads. layer: from 0
[[nodiscard]] Shares attention_shares(const ItReader& model, const ItSentence& sentence, std::size_t layer);

// Attention rollout (Abnar and Zuidema 2020, arXiv:2005.00928, section 3): half of what leaves a layer at some position is
// taken to come from the residual connection, the other half as the map says. The row of "it" in
//   R = A'_n … A'_2 A'_1        A'_l = (A_l + I) / 2, A_l the mean over the heads
[[nodiscard]] Shares rollout_shares(const ItReader& model, const ItSentence& sentence);

// Gradient times input (Shrikumar et al. 2016, arXiv:1605.01713): |sum over features of x_i d logit / d x_i| for each word i, x
// what enters the first block, and the logit that of the answer at "it".
[[nodiscard]] Shares gradient_shares(const ItReader& model, const ItSentence& sentence);

// Leaving a word out: how much the probability of the answer falls when no position may look at this word. Where it rises,
// the share is 0.
[[nodiscard]] Shares leaving_out_shares(const ItReader& model, const ItSentence& sentence);

// All of them, in this order: the attention of each layer, rollout, gradient times input, leaving a word out.
struct NamedShares {
    std::string name;
    Shares shares;
};
[[nodiscard]] std::vector<NamedShares> all_shares(const ItReader& model, const ItSentence& sentence);

// The shares of the verb, and of the "was" before and the "by" behind it. It begins behind the first noun; behind "by", or behind
// the verb where there is none, the second noun has its own "the".
[[nodiscard]] double share_of_action(const ItSentence& sentence, const Shares& shares);

// Over many sentences: the mean shares that one way of asking gives to the words of a sentence.
struct ItShares {
    std::string name;              // "rollout"
    double right_is_larger = 0.0;  // how often the right noun gets more than the other one
    double right = 0.0, other = 0.0, action = 0.0, last = 0.0;  // the action: the verb, with "was" and "by"
};
struct ItScore {
    double accuracy = 0.0;
    std::vector<ItShares> ways;
};
[[nodiscard]] ItScore score_of(const ItReader& model, const std::vector<ItSentence>& sentences);

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
