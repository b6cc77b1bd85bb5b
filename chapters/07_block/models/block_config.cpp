// chapters/07_block/models/block_config.cpp · the blocks of a trained model
#include "chapters/07_block/models/block_config.hpp"

namespace tfs {

namespace {

PositionChoice positions_of(PositionKind kind) {
    switch (kind) {
        case PositionKind::sinusoidal:
            return Sinusoids{};
        case PositionKind::learned:
            return LearnedPositions{};
        case PositionKind::rotary:
            return Rotary{};
        case PositionKind::alibi:
            return Alibi{};
        case PositionKind::none:
            break;
    }
    return NoPositions{};
}

}  // namespace

BlockConfig block_config(const ModelConfig& model) {
    return {.d_model = model.d_model,
            .num_heads = model.heads,
            .d_ff = model.feed_forward_size(),
            .dropout = model.dropout,
            .positions = positions_of(model.positions),
            .max_len = model.max_len};
}

}  // namespace tfs
