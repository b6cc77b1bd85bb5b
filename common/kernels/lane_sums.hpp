// common/kernels/lane_sums.hpp · vectorised sums that add in the same order on every processor
#pragma once

#include <cstddef>
#include <utility>

namespace tfs::kernels {

// As many partial sums as the widest vector holds floats. `#pragma omp simd reduction(+ : sum)` takes as many as the vectors of
// the processor at hand hold, 4, 8 or 16: its results differ in their last digits from one processor to another.
inline constexpr std::size_t lanes = 16;

// Adds the upper half to the lower one until one number is left.
template <class Number>
Number added_in_halves(Number (&sums)[lanes]) {
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
#pragma omp simd
        for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
    }
    return sums[0];
}

// The sum of term(i) over i = 0 … size - 1; term(i) is added to partial sum i mod 16.
template <class Term>
auto lane_sum(std::size_t size, const Term& term) {
    decltype(term(size)) sums[lanes] = {};
    const std::size_t whole = size / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
#pragma omp simd
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += term(i + lane);
    }
    for (std::size_t i = whole; i < size; ++i) sums[i - whole] += term(i);
    return added_in_halves(sums);
}

// Two such sums in one pass.
template <class First, class Second>
auto lane_sums(std::size_t size, const First& first, const Second& second) {
    decltype(first(size)) firsts[lanes] = {};
    decltype(second(size)) seconds[lanes] = {};
    const std::size_t whole = size / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
#pragma omp simd
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            firsts[lane] += first(i + lane);
            seconds[lane] += second(i + lane);
        }
    }
    for (std::size_t i = whole; i < size; ++i) {
        firsts[i - whole] += first(i);
        seconds[i - whole] += second(i);
    }
    return std::pair(added_in_halves(firsts), added_in_halves(seconds));
}

}  // namespace tfs::kernels
