// Step 2.4 · additive_mask · ●●○ · 15 min
// exercises/02_masks/additive_mask.cpp · check yours with ./tutorial check 2.4
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Tensor additive_mask(const Mask& mask) {
    // TODO 2.4: The mask as a tensor of the same shape, to be added to the scores.
    throw NotImplemented("2.4 additive_mask");
}

Mask mask_from_additive(const Tensor& additive) {
    // TODO 2.4: The way back. An entry that is no entry of an additive mask is a ValueError (see the contract).
    throw NotImplemented("2.4 additive_mask");
}

}  // namespace tfs
