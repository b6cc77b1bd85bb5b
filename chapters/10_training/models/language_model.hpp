// chapters/10_training/models/language_model.hpp · a language model that is trained within minutes, by the steps of this chapter alone
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/10_training/models/corpus.hpp"

namespace tfs {

// A decoder of characters, and how it learns. The rate warms up over 100 steps, and falls to a twentieth of its peak.
struct LanguageModelPlan {
    ModelConfig config{
        .layers = 2, .d_model = 128, .heads = 4, .max_len = 64, .positions = PositionKind::rotary};
    std::size_t steps = 3000, batch_size = 32;
    double rate = 4e-3;
};

// New, and drawn with a seed.
[[nodiscard]] TextTransformer new_language_model(const Corpus& corpus, const LanguageModelPlan& plan);

// Trains it with text_batch, learning_rate and training_step, and returns the loss of each step. `told` is called after each one, and
// returns whether to go on.
std::vector<double> train_language_model(const TextTransformer& writer, const Corpus& corpus,
                                         const LanguageModelPlan& plan,
                                         const std::function<bool(std::size_t step, double loss)>& told = {});

// How it goes on from a text, character by character: the likeliest one; or where there is an Rng, drawn with its probability, for which
// chapter 11 takes more care. It sees as many characters as it has learned to.
[[nodiscard]] std::string written(const TextTransformer& writer, const std::string& begin, std::size_t count,
                                  Rng* chance = nullptr);

}  // namespace tfs
