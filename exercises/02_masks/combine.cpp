// Step 2.3 · combine · ●○○ · 5 min
// exercises/02_masks/combine.cpp · check yours with ./tutorial check 2.3
#include <utility>

#include "chapters/02_masks/masks.hpp"
#include "common/base/shape.hpp"

namespace tfs {

Mask operator&(const Mask& a, const Mask& b) {
    // TODO 2.3: Allow what both masks allow, in the shape that both broadcast to.
    throw NotImplemented("2.3 combine");
}

}  // namespace tfs
