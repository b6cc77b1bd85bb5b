// Step 2.1 · padding_mask · ●●○ · 15 min
// exercises/02_masks/padding_mask.cpp · check yours with ./tutorial check 2.1
#include <fmt/format.h>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask padding_mask(const Ids& tokens, std::int64_t pad_id) {
    require_sequences("padding_mask", tokens);
    // TODO 2.1: Fill an array (batch, 1, 1, key): true where the token is not padding. A sequence in which no token is
    // left is a ValueError whose sentence says which one, as in "sentence 2 of 3 is only padding".
    throw NotImplemented("2.1 padding_mask");
}

}  // namespace tfs
