// tests/mistakes/09_transformer/embed.positions_missing.cpp · step 9.1 done wrong
// No positions.
// The checklist must say: "the positions are missing"
#include <cmath>

#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

Tensor Transformer::embed(const Ids& ids, Rng* rng, const std::optional<Ids>& segment_ids) const {
    require_ids("embed", config, ids, segment_ids);
    Tensor x = embedding(ids);  // (batch, seq, d_model)
    if (config.scale_embedding) x = x * std::sqrt(static_cast<float>(config.block.d_model));
    if (segments) x = x + (*segments)(segment_ids ? *segment_ids : all_in_segment_0(ids));
    if (embedding_norm) x = (*embedding_norm)(x);
    return dropout(x, config.block.dropout, rng);
}

}  // namespace tfs
