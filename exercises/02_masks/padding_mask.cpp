// Step 2.2 · padding_mask · ●●○ · 15 min
// exercises/02_masks/padding_mask.cpp · check yours with ./tutorial check 2.2
#include <fmt/format.h>

#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask padding_mask(const Ids& tokens, std::int64_t pad_id) {
    require_sequences("padding_mask", tokens);
    // TODO 2.2: The mask (batch, 1, 1, key) that hides padding. A sequence of nothing but padding is a ValueError.
    throw NotImplemented("2.2 padding_mask");
}

}  // namespace tfs
