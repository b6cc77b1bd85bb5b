// chapters/10_training/program/shown_task.hpp · a task and what is shown of it, before, during and after its training
#pragma once

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

// Its functions are of the model as it is when they are called.
struct ShownTask {
    Task task;
    std::function<Report()> introduce;                     // what is asked, and of which model
    std::function<Report(std::size_t step)> at_step = {};  // before the first step, and after each
    std::function<Report()> finish;                        // what the trained model does
};

// nouns.cpp, it.cpp, dates.cpp, characters.cpp
[[nodiscard]] ShownTask shown_nouns(const Request& request);
[[nodiscard]] ShownTask shown_it(const Request& request);
[[nodiscard]] ShownTask shown_dates(const Request& request);
[[nodiscard]] ShownTask shown_characters(const Request& request);

// The decoder of characters that comes with the repository (characters.cpp).
[[nodiscard]] TextTransformer shipped_writer();

// time_shares.cpp · which step takes how much of the time of a training step, and one that takes more than its share
[[nodiscard]] Report time_shares(const NounTask& nouns);

// character_scores.cpp · how well the held-out text is predicted, beside simpler models; where the heads look
[[nodiscard]] Report bits_beside_simpler_models(const TextTransformer& model, const Corpus& corpus);
[[nodiscard]] Report looks_of_heads(const TextTransformer& model, const Corpus& corpus);

}  // namespace tfs
