// Step 9.1 · embed · ●●○ · 15 min
// exercises/09_transformer/embed.cpp · check yours with ./tutorial check 9.1
#include <cmath>

#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

Tensor Transformer::embed(const Ids& ids, const Pass& pass, const std::optional<Ids>& segment_ids) const {
    require_ids("embed", config, ids, pass.offset, segment_ids);
    // TODO 9.1: The rows of the tokens, times sqrt(config.block.d_model) where config.scale_embedding says
    // so. Then the positions that the model has, `sinusoids` or `learned_positions` (each adds its rows to
    // what it is given, from pass.offset on), then the rows of `segments` (without segment_ids those of `all_in_segment_0(ids)`),
    // then `embedding_norm`. In the end dropout, with the rate of the blocks and pass.rng.
    throw NotImplemented("9.1 embed");
}

}  // namespace tfs
