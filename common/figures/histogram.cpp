// common/figures/histogram.cpp · values counted in bins, as a line
#include <algorithm>

#include "common/figures/figure.hpp"

namespace tfs {

Series histogram(const std::string& name, std::span<const float> values, double low, double high,
                 std::size_t bins) {
    const double step = (high - low) / static_cast<double>(bins);
    std::vector<double> counts(bins, 0.0);
    for (const float value : values) {
        if (!(value >= low && value <= high)) continue;
        const auto bin = static_cast<std::size_t>((value - low) / step);
        counts[std::min(bin, bins - 1)] += 1.0;  // the last one takes in `high` itself
    }
    Series outline{name};
    for (std::size_t i = 0; i < bins; ++i) {
        const double left = low + step * static_cast<double>(i);
        const double density = counts[i] / (static_cast<double>(values.size()) * step);
        outline.add(left, density);
        outline.add(left + step, density);
    }
    return outline;
}

}  // namespace tfs
