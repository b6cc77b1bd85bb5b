// common/io/half.hpp · 16-bit floats, widened to 32 bits without any loss
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tfs {

// bfloat16 is the upper half of a float32.
inline float float_from_bfloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

// IEEE half precision: 1 sign, 5 exponent (bias 15), 10 fraction bits. Exponent 0 holds the subnormals,
// fraction * 2^-24.
inline float float_from_half(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
    const std::uint32_t fraction = bits & 0x3FFU;
    if (exponent == 0)
        return std::copysign(std::ldexp(static_cast<float>(fraction), -24), sign != 0 ? -1.0f : 1.0f);
    // Infinity and NaN keep all bits of the exponent set.
    const std::uint32_t wide = exponent == 31 ? 255U : exponent + (127U - 15U);
    return std::bit_cast<float>(sign | (wide << 23U) | (fraction << 13U));
}

}  // namespace tfs
