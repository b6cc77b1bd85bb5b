// common/measure/measures.cpp · differences, sizes, angles, entropies; memory
#include "common/measure.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "common/base/address_sanitizer.hpp"

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

namespace {

// Of a line of Linux such as "VmHWM:   1234 kB", in bytes; 0 where there is none.
double told_of_this_process(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; !has_address_sanitizer && std::getline(status, line);)
        if (line.starts_with(name)) return 1024.0 * std::stod(line.substr(name.size()));
    return 0.0;
}

}  // namespace

double resident_bytes() { return told_of_this_process("VmRSS:"); }

std::optional<double> peak_memory(const std::function<void()>& work) {
#ifdef __GLIBC__
    ::malloc_trim(0);  // what was freed before would be taken again, and not be seen
#endif
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak is what there is now
    const double before = resident_bytes(), peak = told_of_this_process("VmHWM:");
    work();
    constexpr double near = 1 << 20;  // the two are not counted at one moment
    if (before == 0.0 || peak > before + near) return {};
    return std::max(0.0, told_of_this_process("VmHWM:") - before);
}

}  // namespace tfs
