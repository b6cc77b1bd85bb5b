// chapters/09_transformer/program/model_choice.hpp · the model that the options ask for, and its weights
#pragma once

#include <string>

#include "chapters/09_transformer/transformer.hpp"
#include "common/program.hpp"

namespace tfs {

inline const std::string no_file = "(none)";

struct ModelChoice {
    std::string name = "tiny-decoder";
    std::size_t heads = 0, d_model = 0, layers = 0;  // of a tiny model; 0: its own
    std::string save = no_file, load = no_file;
};

// A small model in the sizes that were asked for, of `vocab` tokens; a published one as it is. ValueError if an
// option is out of range, the sizes don't fit, or a model that is too large to run has a file.
TransformerConfig chosen_config(const ModelChoice& choice, std::size_t vocab);

// Draws the weights with --seed, or loads them; and saves them. Prints which.
Transformer make_model(Show& show, const ModelChoice& choice, const TransformerConfig& config);

}  // namespace tfs
