// chapters/10_training/given/it_scores.hpp · how often each way of asking names the right noun, over many sentences, given
#pragma once

#include "chapters/10_training/given/it_explanations.hpp"

namespace tfs {

// The mean shares that one way of asking gives to the words of a sentence.
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

}  // namespace tfs
