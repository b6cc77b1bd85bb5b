// chapters/07_block/models/block_config.hpp · the blocks of a trained model
#pragma once

#include "chapters/07_block/block.hpp"
#include "common/io/trained_model.hpp"

namespace tfs {

// Blocks of GPT-2's kind in the sizes of this model, with its positions.
[[nodiscard]] BlockConfig block_config(const ModelConfig& model);

}  // namespace tfs
