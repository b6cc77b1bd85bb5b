// Step 9.1 · embed · ●●○ · 15 min
// solutions/09_transformer/embed.cpp
#include <cmath>

#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

Tensor Transformer::embed(const Ids& ids, const Pass& pass, const std::optional<Ids>& segment_ids) const {
    require_ids("embed", config, ids, pass.offset, segment_ids);
    // begin: The rows of the tokens, times sqrt(config.block.d_model) where config.scale_embedding says
    // so. Then the positions that the model has, `sinusoids` or `learned_positions` (each adds its rows to
    // what it is given, from pass.offset on), then the rows of `segments` (without segment_ids those of `all_in_segment_0(ids)`),
    // then `embedding_norm`. In the end dropout, with the rate of the blocks and pass.rng.
    Tensor x = embedding(ids);  // (batch, seq, d_model)
    if (config.scale_embedding) x = x * std::sqrt(static_cast<float>(config.block.d_model));
    if (sinusoids) x = (*sinusoids)(x, pass.offset);
    if (learned_positions) x = (*learned_positions)(x, pass.offset);
    if (segments) x = x + (*segments)(segment_ids ? *segment_ids : all_in_segment_0(ids));
    if (embedding_norm) x = (*embedding_norm)(x);
    return dropout(x, config.block.dropout, pass.rng);
    // end
}

}  // namespace tfs
