// common/kernels/exp.hpp · exp, sigmoid and erf that the compiler can vectorise
#pragma once

#include <bit>
#include <cstdint>

namespace tfs::kernels {

// exp(x - n ln 2), for n = round(x / ln 2): a polynomial (Cephes expf); ln 2 is subtracted in two parts to keep the rest exact.
inline float exp_of_rest(float x, float n) {
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    return p * (r * r) + r + 1.0f;
}

// exp(x) without a branch or a library call, so that a `#pragma omp simd` loop over it becomes vector code.
//   exp(x) = 2^n exp(r),  n = round(x / ln 2),  r = x - n ln 2 in [-0.347, 0.347]
// 2^n is built from its bits, in two halves so that overflow gives infinity and underflow goes through the subnormals to 0. NaN stays NaN.
// Measured over all 2^32 floats against std::exp in double: relative error at most 8.5e-8 where the result is a normal
// number, at most 0.76 of the smallest subnormal below that. tests/common/kernels_test.cpp sweeps a part of them.
inline float exp(float x) {
    const float low = -104.0f, high = 89.0f;  // beyond these the result is 0 or infinity anyway
    x = x < low ? low : x;
    x = x > high ? high : x;

    // Adding 1.5 * 2^23 rounds to an integer and leaves that in the low bits; 254 is twice the bias of an exponent.
    const float shift = 12582912.0f + 254.0f;
    const float shifted = x * 1.44269504088896341f + shift;
    const float p = exp_of_rest(x, shifted - shift);

    // n + 254 in two halves, each an exponent with its bias. What stands above the exponent is shifted out.
    const std::uint32_t exponent = std::bit_cast<std::uint32_t>(shifted), half = exponent >> 1;
    const auto power_of_two = [](std::uint32_t biased) { return std::bit_cast<float>(biased << 23); };
    return p * power_of_two(half) * power_of_two(exponent - half);
}

// exp(x) in three quarters of the time, for x <= 88 only: above, any number may come. 0 where x < -87.33, of which exp is at most
// 1.2e-38. NaN stays NaN.
inline float exp_or_zero(float x) {
    const float shift = 12582912.0f + 127.0f;  // of an exponent once its bias
    const float shifted = x * 1.44269504088896341f + shift;
    const float p = exp_of_rest(x, shifted - shift);
    const float result = p * std::bit_cast<float>(std::bit_cast<std::uint32_t>(shifted) << 23);
    return x < -87.33f ? 0.0f : result;
}

// 1 / (1 + exp(-x))
inline float sigmoid(float x) { return 1.0f / (1.0f + exp(-x)); }

// erf(x) = 2/sqrt(pi) * integral of exp(-t^2) from 0 to x, without a branch or a library call, so that a
// `#pragma omp simd` loop over it becomes vector code. Both of these are computed, and one is chosen:
//   |x| <  0.9: x + x P(x^2). The power series of erf has only odd powers; P stands for those up to x^11.
//   |x| >= 0.9: 1 - exp(Q(|x|)) with the sign of x; Q stands for ln(1 - erf). The result never exceeds 1.
// The coefficients of P and Q are least-squares fits to erf in double, their weights raised where the error was largest
// until no better fit was found (Lawson's algorithm). NaN stays NaN.
// Measured over all 2^32 floats against std::erf in double: error at most 7.7e-8, relative error at most 1.1e-7 of normal
// numbers (7.0e-8 and 8.5e-8 where the processor fuses multiplication and addition). tests/common/kernels_test.cpp
// sweeps a part of them.
inline float erf(float x) {
    const float square = x * x;
    float p = -6.0903273e-4f;
    p = p * square + 5.0119568e-3f;
    p = p * square - 2.6778905e-2f;
    p = p * square + 1.1282141e-1f;
    p = p * square - 3.7612523e-1f;
    p = p * square + 1.2837915e-1f;
    const float near_zero = x + x * p;

    float t = x < 0.0f ? -x : x;
    t = t > 4.0f ? 4.0f : t;  // beyond, the result is 1
    float q = 1.9934225e-4f;
    q = q * t - 3.0763657e-3f;
    q = q * t + 2.2357987e-2f;
    q = q * t - 1.0420115e-1f;
    q = q * t - 6.3687794e-1f;
    q = q * t - 1.1278546f;
    q = q * t - 1.5280862e-4f;
    const float above = 1.0f - exp(q);
    const float far = x < 0.0f ? -above : above;
    return t < 0.9f ? near_zero : far;
}

}  // namespace tfs::kernels
