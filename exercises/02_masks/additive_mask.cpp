// Step 2.7 · additive_mask · ●●○ · 15 min
// exercises/02_masks/additive_mask.cpp · check yours with ./tutorial check 2.7
#include <fmt/format.h>

#include <limits>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Tensor additive_mask(const Mask& mask) {
    // TODO 2.7: A tensor of the mask's shape: 0 where it allows, -infinity where it forbids.
    throw NotImplemented("2.7 additive_mask");
}

Mask mask_from_additive(const Tensor& additive) {
    // TODO 2.7: The other way: 0 is allowed, -infinity is not. Anything else (also NaN) is a ValueError that names the
    // entry's index in row-major order, its value and its `likely_cause` (checks.hpp).
    throw NotImplemented("2.7 additive_mask");
}

}  // namespace tfs
