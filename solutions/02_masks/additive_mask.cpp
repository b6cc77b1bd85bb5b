// Step 2.4 · additive_mask · ●●○ · 15 min
// solutions/02_masks/additive_mask.cpp
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Tensor additive_mask(const Mask& mask) {
    // begin: The mask as a tensor of the same shape, to be added to the scores.
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Array additive = Array::from_shape(mask.shape());
    const bool* allowed = mask.array().data();
    for (std::size_t i = 0; i < additive.size(); ++i) additive.data()[i] = allowed[i] ? 0.0f : -infinity;
    return Tensor(std::move(additive));
    // end
}

Mask mask_from_additive(const Tensor& additive) {
    // begin: The way back. An entry that is no entry of an additive mask is a ValueError (see the contract).
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
    // end
}

}  // namespace tfs
