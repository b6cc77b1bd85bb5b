// common/show/measure.cpp · how far two results differ, and how long something takes
#include "common/show/measure.hpp"

#include <algorithm>
#include <chrono>
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

double best_seconds(const std::function<void()>& run) {
    using Clock = std::chrono::steady_clock;
    constexpr double enough = 0.1;
    constexpr int max_runs = 10000;
    double best = std::numeric_limits<double>::infinity(), total = 0.0;
    for (int i = 0; i < max_runs && (i < 3 || total < enough); ++i) {
        const Clock::time_point start = Clock::now();
        run();
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        best = std::min(best, seconds);
        total += seconds;
    }
    return best;
}

}  // namespace tfs
