// Step 2.3 · combine · ●○○ · 5 min
// solutions/02_masks/combine.cpp
#include <utility>

#include "chapters/02_masks/masks.hpp"
#include "common/base/shape.hpp"

namespace tfs {

Mask operator&(const Mask& a, const Mask& b) {
    // begin: Allow what both masks allow, in the shape that both broadcast to.
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "mask & mask");
    xt::xarray<bool> allowed = a.expanded(shape);
    const xt::xarray<bool> other = b.expanded(shape);
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed.data()[i] = allowed.data()[i] && other.data()[i];
    return Mask(std::move(allowed));
    // end
}

}  // namespace tfs
