// chapters/10_training/program/it_sections.hpp · the second model, which is asked who "it" is: what is shown of it
#pragma once

#include "chapters/10_training/models/it_explanations.hpp"
#include "chapters/10_training/models/it_task.hpp"
#include "chapters/10_training/program/sections.hpp"

namespace tfs {

// it_maps.cpp · figures and tables of a trained model

void print_it_answers(Show& show, const ItReader& model);
void print_it_shares(Show& show, const ItScore& score);
[[nodiscard]] HeatMapFigure it_figure(const ItReader& model);

// it_bags.cpp · models of the same kind without attention

// The same model, but every word gets the mean of all words in place of what attention would find. Without positions it is a
// bag of words. ids (batch, seq) -> logits (batch, seq, words)
[[nodiscard]] Tensor bag_logits(const ItReader& model, const Ids& ids, bool with_positions);
// Trains both, with and without positions, as long as the model itself, and prints how often they are right.
void compare_bags(Show& show, const TaskOptions& options);

}  // namespace tfs
