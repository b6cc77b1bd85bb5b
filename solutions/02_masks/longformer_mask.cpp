// Step 2.5 · longformer_mask · ●●○ · 20 min
// solutions/02_masks/longformer_mask.cpp
#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask longformer_mask(std::size_t seq, std::size_t window, const std::vector<std::size_t>& global) {
    require_global("longformer_mask", seq, global);
    // begin: Puzzle: a symmetric window and global tokens in one mask, made of the masks of this chapter.
    Ids is_global = Ids::from_shape({1, seq}), zero = Ids::from_shape({1, 1});
    is_global.fill(0);
    zero.fill(0);
    for (const std::size_t position : global) is_global(0, position) = 1;
    const Mask far = Mask(!sliding_window_mask(seq, window, Window::symmetric).array());
    const Mask query_is_local = document_mask(is_global, zero);  // (1, 1, query, 1)
    const Mask key_is_local = document_mask(zero, is_global);    // (1, 1, 1, key)
    const Mask forbidden = far & query_is_local & key_is_local;
    return Mask(!forbidden.array());  // (1, 1, query, key)
    // end
}

}  // namespace tfs
