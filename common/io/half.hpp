// common/io/half.hpp · 16-bit floats: widened to 32 bits without any loss, and rounded from them
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

// The nearest half; of two equally near ones that with an even last bit. What is too large becomes infinite.
inline std::uint16_t half_from_float(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    const float size = std::abs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00U);
    if (size >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7C00U);
    // Below 2^-14 the steps are 2^-24: adding 0.5 leaves just those bits, rounded by the processor.
    if (size < 0x1p-14f)
        return static_cast<std::uint16_t>(
            sign | (std::bit_cast<std::uint32_t>(size + 0.5f) - std::bit_cast<std::uint32_t>(0.5f)));
    const std::uint32_t whole = bits & 0x7FFFFFFFU;
    const std::uint32_t rounded = whole + 0xFFFU + ((whole >> 13U) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - ((127U - 15U) << 23U)) >> 13U));
}

}  // namespace tfs
