// chapters/10_training/models/it_scores.cpp · how often each way of asking names the right noun, over many sentences
#include <algorithm>
#include <numeric>

#include "chapters/10_training/models/it_explanations.hpp"

namespace tfs {

namespace {

void add(ItShares& sums, const ItSentence& sentence, const Shares& shares) {
    const double right = shares[sentence.noun()], other = shares[sentence.other()];
    sums.right_is_larger += right > other ? 1.0 : 0.0;
    sums.right += right;
    sums.other += other;
    sums.action += share_of_action(sentence, shares);
    sums.last += shares.back();
}

}  // namespace

double share_of_action(const ItSentence& sentence, const Shares& shares) {
    const auto end = std::find(sentence.words.begin() + static_cast<std::ptrdiff_t>(sentence.first),
                               sentence.words.end(), "the");
    return std::accumulate(shares.begin() + static_cast<std::ptrdiff_t>(sentence.first + 1),
                           shares.begin() + (end - sentence.words.begin()), 0.0);
}

ItScore score_of(const ItReader& model, const std::vector<ItSentence>& sentences) {
    ItScore score;
    for (const ItSentence& sentence : sentences) {
        score.accuracy += answer_of(model, sentence).noun == sentence.words[sentence.noun()] ? 1.0 : 0.0;
        const std::vector<NamedShares> ways = all_shares(model, sentence);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            if (i == score.ways.size()) score.ways.push_back({.name = ways[i].name});
            add(score.ways[i], sentence, ways[i].shares);
        }
    }
    const auto count = static_cast<double>(sentences.size());
    score.accuracy /= count;
    for (ItShares& way : score.ways)
        for (double* sum : {&way.right_is_larger, &way.right, &way.other, &way.action, &way.last})
            *sum /= count;
    return score;
}

}  // namespace tfs
