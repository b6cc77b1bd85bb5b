// tests/mistakes/02_masks/additive_mask.ones_and_zeros.cpp · step 2.7 done wrong
// A boolean mask, written as floats.
// The checklist must say: "ones and zeros: added to the scores, they forbid nothing"
#include <fmt/format.h>

#include <limits>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Tensor additive_mask(const Mask& mask) {
    Array additive = Array::from_shape(mask.shape());
    const bool* allowed = mask.array().data();
    for (std::size_t i = 0; i < additive.size(); ++i) additive.data()[i] = allowed[i] ? 1.0f : 0.0f;
    return Tensor(std::move(additive));
}

Mask mask_from_additive(const Tensor& additive) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape(additive.shape());
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        const float entry = additive.values()[i];
        if (entry != 0.0f && entry != -infinity) {
            throw ValueError(
                fmt::format("mask_from_additive: entry {} is {}; only 0 (may attend) and -inf (may "
                            "not) make an additive mask: {}",
                            i, entry, likely_cause(entry)));
        }
        allowed.data()[i] = entry == 0.0f;
    }
    return Mask(std::move(allowed));
}

}  // namespace tfs
