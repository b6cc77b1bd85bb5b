// common/measure/measures.hpp · what programs measure: differences, sizes, angles, entropies
#pragma once

#include <span>

#include "common/tensor/tensor.hpp"

namespace tfs {

// The largest |a - b| over all entries. Infinite where the shapes differ or an entry is NaN in one of them: a check that
// asks for a small difference then fails.
double largest_difference(const Array& a, const Array& b);

// The root of the mean square over all entries.
double root_mean_square(std::span<const float> x);

// The sum of a_i b_i over vectors of one length, and the cosine of the angle between them (NaN where one is all zeros).
double dot(std::span<const float> a, std::span<const float> b);
double cosine(std::span<const float> a, std::span<const float> b);

// The entropy -sum p ln p of each row along the last axis, in nats, averaged over the rows.
double mean_entropy(const Tensor& weights);

}  // namespace tfs
