// tests/10_training/wrong_evaluations.hpp · the golden evaluation, and what a wrong number comes from
#pragma once

#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"

namespace tfs::test {

// Three batches of different sizes.
std::vector<Batch> golden_batches();

// The likely causes of a wrong loss, of a wrong accuracy on the golden batches; empty where none is known.
std::string cause_of_loss(double loss);
std::string cause_of_accuracy(double accuracy);

}  // namespace tfs::test
