// Step 2.3 · combine · ●○○ · 5 min
// exercises/02_masks/combine.cpp · check yours with ./tutorial check 2.3
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask operator&(const Mask& a, const Mask& b) {
    // TODO 2.3: Write both masks out over their common shape (`broadcast_shapes` in common/base/shape.hpp finds it and
    // throws where there is none; `expanded` of Mask writes out), then allow what both allow.
    throw NotImplemented("2.3 combine");
}

}  // namespace tfs
