// tests/mistakes/02_masks/additive_mask.anything_accepted.cpp · step 2.7 done wrong
// Whatever is not 0 counts as forbidden.
// The checklist must say: "is accepted silently"
#include <limits>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Tensor additive_mask(const Mask& mask) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Array additive = Array::from_shape(mask.shape());
    const bool* allowed = mask.array().data();
    for (std::size_t i = 0; i < additive.size(); ++i) additive.data()[i] = allowed[i] ? 0.0f : -infinity;
    return Tensor(std::move(additive));
}

Mask mask_from_additive(const Tensor& additive) {
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape(additive.shape());
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        const float entry = additive.values()[i];
        allowed.data()[i] = entry == 0.0f;
    }
    return Mask(std::move(allowed));
}

}  // namespace tfs
