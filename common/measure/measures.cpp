// common/measure/measures.cpp · differences, sizes, angles, entropies
#include "common/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tfs {

double largest_difference(const Array& a, const Array& b) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (a.shape() != b.shape()) return infinity;
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(static_cast<double>(a.data()[i]) - b.data()[i]);
        if (std::isnan(difference)) return infinity;
        largest = std::max(largest, difference);
    }
    return largest;
}

double root_mean_square(std::span<const float> x) {
    return std::sqrt(dot(x, x) / static_cast<double>(x.size()));
}

double dot(std::span<const float> a, std::span<const float> b) {
    double total = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) total += static_cast<double>(a[i]) * b[i];
    return total;
}

double cosine(std::span<const float> a, std::span<const float> b) {
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

double mean_entropy(const Tensor& weights) {
    double total = 0.0;
    for (const float p : weights.values()) total -= p > 0.0f ? p * std::log(static_cast<double>(p)) : 0.0;
    return total / static_cast<double>(weights.size() / weights.size(-1));
}

}  // namespace tfs
