// tests/mistakes/02_masks/combine.only_the_first.cpp · step 2.3 done wrong
// The second mask is written out and forgotten.
// The checklist must say: "only the first mask has an effect"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask operator&(const Mask& a, const Mask& b) {
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "mask & mask");
    xt::xarray<bool> allowed = a.expanded(shape);
    const xt::xarray<bool> other = b.expanded(shape);
    (void)other;
    return Mask(std::move(allowed));
}

}  // namespace tfs
