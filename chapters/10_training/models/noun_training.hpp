// chapters/10_training/models/noun_training.hpp · the models that find a noun, or two animals, and their training
#pragma once

#include <array>
#include <cstdint>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/10_training/models/sentences.hpp"
#include "chapters/10_training/models/trainer.hpp"

namespace tfs {

// A model and how it is trained.
struct NounPlan {
    std::size_t d_model = 64, heads = 1;
    TrainingPlan training = {};
};
using NounTask = TaskOf<NounSentences, NounFinder>;
using SizeTask = TaskOf<SizeSentences, NounFinder>;
[[nodiscard]] NounTask make_noun_task(const NounPlan& plan);

// The sizes of the model of the task "nouns".
[[nodiscard]] ModelConfig noun_finder_config();

// The same of the task "sizes".
[[nodiscard]] ModelConfig size_finder_config();

// How many parameters the model of this plan has. ValueError if the heads don't divide d_model.
[[nodiscard]] std::size_t noun_parameters(const NounPlan& plan);

// The share of sentences whose noun is guessed, and how much the last word attends to that noun.
struct NounScore {
    double accuracy = 0.0, mean_weight = 0.0;
    std::vector<NounSentence> overlooked;  // the last word gives the noun less than half of its weight
};
[[nodiscard]] NounScore score_of(const NounFinder& model, const std::vector<NounSentence>& sentences);

// Step smallest_model · Puzzle: a small model that finds the noun all the same. Set plan.d_model, plan.heads, and of plan.training
// steps, batch_size and rate (peak, final, warmup; its `total` is set to `steps`) so that it
//   has at most 3,000 parameters,
//   learns from at most 40,000 sentences (steps * batch_size),
//   answers at least 99 % of the held-out sentences right with two of three seeds (a small model now and then fails).
// The model has words * d_model + 4 (d_model² + d_model) + (d_model + 1) * words parameters, and there are 58 words.
[[nodiscard]] NounPlan smallest_model();
inline constexpr std::size_t most_parameters_of_the_puzzle = 3000, most_sentences_of_the_puzzle = 40'000;
inline constexpr std::array<std::uint64_t, 3> seeds_of_the_puzzle{11, 12, 13};

// What a training by this plan reaches with a seed: the share of held-out sentences that are answered right, and their loss; 0 and
// infinity where the training ended because a gradient was not finite.
struct PlanScore {
    double accuracy = 0.0, loss = 0.0;
};
[[nodiscard]] PlanScore score_of(NounPlan plan, std::uint64_t seed);

}  // namespace tfs
