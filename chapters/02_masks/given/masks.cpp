// chapters/02_masks/given/additive_mask.cpp · masks as floats that are added to the scaled scores, and back, given
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "chapters/02_masks/masks.hpp"

namespace tfs {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// What an entry that is neither 0 nor -infinity was probably meant to be: the end of an error's sentence.
std::string likely_cause(float entry) {
    if (std::isnan(entry)) return "was it computed as 0 times infinity?";
    if (entry == 1.0f)
        return "it looks like a boolean mask of ones and zeros, where 0 forbids; see Mask::from";
    if (entry < 0.0f) return "it looks like a large negative number in place of -infinity";
    return "it looks like a score";
}

}  // namespace

Tensor additive_mask(const Mask& mask) {
    Array additive = Array::from_shape(mask.shape());
    const bool* allowed = mask.array().data();
    for (std::size_t i = 0; i < additive.size(); ++i) additive.data()[i] = allowed[i] ? 0.0f : -infinity;
    return Tensor(std::move(additive));
}

Mask mask_from_additive(const Tensor& additive) {
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape(additive.shape());
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        const float entry = additive.values()[i];
        if (entry != 0.0f && entry != -infinity) {  // NaN is unequal to both
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
