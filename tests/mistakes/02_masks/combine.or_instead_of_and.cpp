// tests/mistakes/02_masks/combine.or_instead_of_and.cpp · step 2.3 done wrong
// Allowed where one of the two allows.
// The checklist must say: "`or` instead of `and`"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask operator&(const Mask& a, const Mask& b) {
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "mask & mask");
    xt::xarray<bool> allowed = a.expanded(shape);
    const xt::xarray<bool> other = b.expanded(shape);
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed.data()[i] = allowed.data()[i] || other.data()[i];
    return Mask(std::move(allowed));
}

}  // namespace tfs
