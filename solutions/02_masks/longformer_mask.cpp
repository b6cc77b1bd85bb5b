// Step 2.4 · longformer_mask · ●●○ · 15 min
// solutions/02_masks/longformer_mask.cpp
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask longformer_mask(const Mask& near, const Mask& query_is_global, const Mask& key_is_global) {
    // begin: Puzzle: allowed by `near`, or the query is global, or the key is.
    const Mask far = Mask(!near.array());                        // (…, query, key)
    const Mask query_is_local = Mask(!query_is_global.array());  // (…, query, 1)
    const Mask key_is_local = Mask(!key_is_global.array());      // (…, 1, key)
    const Mask forbidden = far & query_is_local & key_is_local;
    return Mask(!forbidden.array());  // (…, query, key)
    // end
}

}  // namespace tfs
