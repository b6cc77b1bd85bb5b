// tests/mistakes/02_masks/additive_mask.large_negative_number.cpp · step 2.7 done wrong
// -1e9 in place of -infinity.
// The checklist must say: "a query that may attend to nothing then attends to everything"
#include <fmt/format.h>

#include <limits>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Tensor additive_mask(const Mask& mask) {
    Array additive = Array::from_shape(mask.shape());
    const bool* allowed = mask.array().data();
    for (std::size_t i = 0; i < additive.size(); ++i) additive.data()[i] = allowed[i] ? 0.0f : -1e9f;
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
