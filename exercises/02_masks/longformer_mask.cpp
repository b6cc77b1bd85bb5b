// Step 2.4 · longformer_mask · ●●○ · 15 min
// exercises/02_masks/longformer_mask.cpp · check yours with ./tutorial check 2.4
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask longformer_mask(const Mask& near, const Mask& query_is_global, const Mask& key_is_global) {
    // TODO 2.4: Puzzle: allowed by `near`, or the query is global, or the key is.
    throw NotImplemented("2.4 longformer_mask");
}

}  // namespace tfs
