// chapters/07_block/given/block_config.cpp · the blocks of a trained model, given
#include "chapters/07_block/given/block_config.hpp"

namespace tfs {

BlockConfig block_config(const ModelConfig& model) {
    BlockConfig block{.d_model = model.d_model,
                      .num_heads = model.heads,
                      .d_ff = model.feed_forward_size(),
                      .dropout = model.dropout};
    if (model.positions == PositionKind::rotary) block.rotary = RotaryConfig{.max_len = model.max_len};
    return block;
}

}  // namespace tfs
