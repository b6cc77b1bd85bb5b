// chapters/10_training/program/it_sections.hpp · the second model, which is asked who "it" is: its training, and its maps
#pragma once

#include "chapters/10_training/given/it_explanations.hpp"
#include "chapters/10_training/program/sections.hpp"

namespace tfs {

// it_training.cpp · the model and its training

struct ItTraining {
    ItSentences sentences;
    ItReader model;
    Trainer trainer;  // of `model`
};
[[nodiscard]] std::unique_ptr<ItTraining> make_it_training(const OwnOptions& own, std::uint64_t seed);

// it_scores.cpp · what is measured over the held-out sentences

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

// it_maps.cpp · figures and tables of a trained model

void print_it_answers(Show& show, const ItReader& model);
void print_it_shares(Show& show, const ItScore& score);
[[nodiscard]] HeatMapFigure it_figure(const ItReader& model);

// it_bags.cpp · models of the same kind without attention

// The same model, but every word gets the mean of all words in place of what attention would find. Without positions it is a
// bag of words. ids (batch, seq) -> logits (batch, seq, words)
[[nodiscard]] Tensor bag_logits(const ItReader& model, const Ids& ids, bool with_positions);
// Trains both, with and without positions, as long as the model itself, and prints how often they are right.
void compare_bags(Show& show, const OwnOptions& own);

}  // namespace tfs
