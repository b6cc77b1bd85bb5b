// Step 2.1 · mask_rules · ●●○ · 20 min
// exercises/02_masks/mask_rules.cpp · check yours with ./tutorial check 2.1
#include <fmt/format.h>

#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"
#include "common/base/array.hpp"

namespace tfs {

Mask causal_mask(std::size_t queries, std::size_t keys, std::size_t offset) {
    require_causal_sizes(queries, keys, offset);
    // TODO 2.1: The causal mask (1, 1, query, key), for queries that come after `offset` keys.
    throw NotImplemented("2.1 mask_rules");
}

Mask causal_mask(std::size_t seq) { return causal_mask(seq, seq, 0); }

Mask padding_mask(const Ids& tokens, std::int64_t pad_id) {
    require_sequences("padding_mask", tokens);
    // TODO 2.1: The mask (batch, 1, 1, key) that hides padding. A sequence of nothing but padding is a ValueError.
    throw NotImplemented("2.1 mask_rules");
}

Mask operator&(const Mask& a, const Mask& b) {
    // TODO 2.1: Allow what both masks allow, in the shape that both broadcast to.
    throw NotImplemented("2.1 mask_rules");
}

}  // namespace tfs
