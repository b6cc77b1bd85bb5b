// chapters/04_normalization/given/normalization.cpp · rows of mean 0 and variance 1, and the nearest bfloat16
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "chapters/04_normalization/normalization.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

NormalisedRows normalised_rows(const Array& x, float eps) {
    require_shapes("normalised_rows", {{"x", x, "tokens d_model+"}});
    const std::size_t tokens = x.shape()[0], d_model = x.shape()[1];
    NormalisedRows rows{Array::from_shape(x.shape()), Array::from_shape({tokens})};
    for (std::size_t t = 0; t < tokens; ++t) {
        double mean = 0.0, variance = 0.0;
        for (std::size_t i = 0; i < d_model; ++i) mean += x(t, i) / static_cast<double>(d_model);
        for (std::size_t i = 0; i < d_model; ++i)
            variance += (x(t, i) - mean) * (x(t, i) - mean) / static_cast<double>(d_model);
        const double rstd = 1.0 / std::sqrt(variance + eps);
        rows.rstd(t) = static_cast<float>(rstd);
        for (std::size_t i = 0; i < d_model; ++i)
            rows.x_hat(t, i) = static_cast<float>((x(t, i) - mean) * rstd);
    }
    return rows;
}

namespace {

// The nearest number whose lower 16 bits are 0; half way, the one whose last kept bit is 0.
float nearest_bfloat16(float value) {
    if (std::isnan(value)) return std::numeric_limits<float>::quiet_NaN();
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t last_kept_bit = (bits >> 16U) & 1U;
    // Adding 0x7FFF carries into the upper half where the lower half is above 0x8000; with the last kept bit
    // added, also where it is 0x8000 exactly and the upper half is odd.
    const std::uint32_t rounded = (bits + 0x7FFFU + last_kept_bit) & 0xFFFF0000U;
    return std::bit_cast<float>(rounded);
}

}  // namespace

Tensor round_to_bfloat16(const Tensor& x) {
    Array rounded = Array::from_shape(x.shape());
    for (std::size_t i = 0; i < x.size(); ++i) rounded.data()[i] = nearest_bfloat16(x.values()[i]);
    // Straight through: the gradient is passed on as it comes.
    return record(std::move(rounded), {x}, [x](const Array&, const Array& grad) { add_to_grad(x, grad); });
}

}  // namespace tfs
