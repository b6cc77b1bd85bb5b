// Step 9.1 · embed · ●●○ · 15 min
// solutions/09_transformer/embed.cpp
#include <cmath>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::embed(const Ids& ids, const Pass& pass, const std::optional<Ids>& segment_ids) const {
    require_ids("embed", config, ids, pass.offset, segment_ids);
    // begin: The sum of embeddings that the contract describes, of the parts that this model has. Without segment_ids,
    // `all_in_segment_0(ids)` are the segments.
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
