// tests/mistakes/09_transformer/embed.no_dropout.cpp · step 9.1 done wrong
// Nothing is dropped.
// The checklist must say: "nothing is dropped in training"
#include <cmath>

#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

Tensor Transformer::embed(const Ids& ids, Rng*, const std::optional<Ids>& segment_ids) const {
    require_ids("embed", config, ids, segment_ids);
    Tensor x = embedding(ids);  // (batch, seq, d_model)
    if (config.scale_embedding) x = x * std::sqrt(static_cast<float>(config.block.d_model));
    if (sinusoids) x = (*sinusoids)(x);
    if (learned_positions) x = (*learned_positions)(x);
    if (segments) x = x + (*segments)(segment_ids ? *segment_ids : all_in_segment_0(ids));
    if (embedding_norm) x = (*embedding_norm)(x);
    return x;
}

}  // namespace tfs
