// Step 9.1 · embed · ●●○ · 15 min
// exercises/09_transformer/embed.cpp · check yours with ./tutorial check 9.1
#include <cmath>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::embed(const Ids& ids, const Pass& pass, const std::optional<Ids>& segment_ids) const {
    require_ids("embed", config, ids, pass.offset, segment_ids);
    // TODO 9.1: The sum of embeddings that the contract describes, of the parts that this model has. Without segment_ids,
    // `all_in_segment_0(ids)` are the segments.
    throw NotImplemented("9.1 embed");
}

}  // namespace tfs
