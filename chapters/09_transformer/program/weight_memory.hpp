// chapters/09_transformer/program/weight_memory.hpp · whether a model is small enough to run here
#pragma once

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// Counted by the given costs, so that a run on a learner's steps needs none of them to decide.
double weights_in_bytes(const TransformerConfig& config);

// Whether this program runs the model: decided by the size of the weights alone. To draw more takes longer
// than all the rest, and untrained ones show nothing that a small model does not.
inline constexpr std::size_t largest_weights = 64u << 20u;  // bytes, as float32
bool small_enough(const TransformerConfig& config);

}  // namespace tfs
