// Step 2.5 · longformer_mask · ●●○ · 20 min
// exercises/02_masks/longformer_mask.cpp · check yours with ./tutorial check 2.5
#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask longformer_mask(std::size_t seq, std::size_t window, const std::vector<std::size_t>& global) {
    require_global("longformer_mask", seq, global);
    // TODO 2.5: Puzzle: a symmetric window and global tokens in one mask, made of the masks of this chapter.
    throw NotImplemented("2.5 longformer_mask");
}

}  // namespace tfs
