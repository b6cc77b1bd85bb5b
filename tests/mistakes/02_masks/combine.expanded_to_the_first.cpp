// tests/mistakes/02_masks/combine.expanded_to_the_first.cpp · step 2.3 done wrong
// The second is written out over the shape of the first.
// The checklist must say: "neither has to have the shape of the result"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask operator&(const Mask& a, const Mask& b) {
    xt::xarray<bool> allowed = a.array();
    const xt::xarray<bool> other = b.expanded(a.shape());
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed.data()[i] = allowed.data()[i] && other.data()[i];
    return Mask(std::move(allowed));
}

}  // namespace tfs
