// Step 2.3 · combine · ●○○ · 5 min
// solutions/02_masks/combine.cpp
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask operator&(const Mask& a, const Mask& b) {
    // begin: Write both masks out over their common shape (`broadcast_shapes` in common/base/shape.hpp finds it and
    // throws where there is none; `expanded` of Mask writes out), then allow what both allow.
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "mask & mask");
    xt::xarray<bool> allowed = a.expanded(shape);
    const xt::xarray<bool> other = b.expanded(shape);
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed.data()[i] = allowed.data()[i] && other.data()[i];
    return Mask(std::move(allowed));
    // end
}

}  // namespace tfs
