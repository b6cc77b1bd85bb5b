// Step 4.5 · round_to_bfloat16 · ●●● · 20 min
// exercises/04_normalization/round_to_bfloat16.cpp · check yours with ./tutorial check 4.5
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

namespace {

float nearest_bfloat16(float value) {
    // TODO 4.5: The nearest number whose lower 16 bits are 0; half way, the one whose last kept bit is 0. A NaN
    // stays a NaN.
    throw NotImplemented("4.5 round_to_bfloat16");
}

}  // namespace

Tensor round_to_bfloat16(const Tensor& x) {
    Array rounded = Array::from_shape(x.shape());
    for (std::size_t i = 0; i < x.size(); ++i) rounded.data()[i] = nearest_bfloat16(x.values()[i]);
    // Straight through: the gradient is passed on as it comes.
    return record(std::move(rounded), {x}, [x](const Array&, const Array& grad) { add_to_grad(x, grad); });
}

}  // namespace tfs
