// Step 2.3 · combine
// solutions/02_masks/combine.cpp · check yours with ./tutorial check 2.3
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask operator&(const Mask& a, const Mask& b) {
    // begin 2.3: Write both masks out over their common shape (`broadcast_shapes` in common/base/shape.hpp finds it and
    // throws where there is none; `expanded` of Mask writes out), then allow what both allow.
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "mask & mask");
    xt::xarray<bool> allowed = a.expanded(shape);
    const xt::xarray<bool> other = b.expanded(shape);
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed.data()[i] = allowed.data()[i] && other.data()[i];
    return Mask(std::move(allowed));
    // end 2.3
}

}  // namespace tfs
