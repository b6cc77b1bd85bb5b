// chapters/02_masks/program/empty_rows.cpp · what a query gets that may attend to nothing
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// The nearest number of half precision (IEEE 754 binary16): 11 significant bits, at most 65504, steps of 2^-24 near 0.
float round_to_half(float x) {
    if (x == 0.0f || !std::isfinite(x)) return x;
    const float step = std::ldexp(1.0f, std::max(std::ilogb(x) - 10, -24));
    const float rounded = std::nearbyint(x / step) * step;
    return std::abs(rounded) > 65504.0f ? std::copysign(infinity, x) : rounded;
}

float as_it_is(float x) { return x; }

// The weights of one query none of whose keys is allowed: softmax(scores + forbidden), rounded at every step; by the
// formula of PyTorch, or by chapter 01's, which gives zeros where all is -infinity.
std::vector<float> weights_of(const std::vector<float>& scores, float forbidden, float (*round)(float)) {
    std::vector<float> sums;
    for (const float score : scores) sums.push_back(round(round(score) + round(forbidden)));
    const float largest = *std::max_element(sums.begin(), sums.end());
    double total = 0.0;
    for (float& entry : sums) {
        entry = std::exp(entry - largest);
        total += static_cast<double>(entry);
    }
    for (float& entry : sums) entry = round(static_cast<float>(static_cast<double>(entry) / total));
    return sums;
}

std::string joined(const std::vector<float>& values) {
    std::string text;
    for (const float value : values) text += std::isnan(value) ? "   NaN" : fmt::format("{:>6.3f}", value);
    return text;
}

}  // namespace

void measure_empty_rows(Show& show) {
    Rng rng(show.options.seed);
    std::vector<float> scores;
    for (int j = 0; j < 5; ++j) scores.push_back(static_cast<float>(rng.normal()));
    const Tensor nothing = Tensor::full({1, 5}, -infinity);
    fmt::print(show.out, "  {:<36} {}\n", "not masked at all", joined(weights_of(scores, 0.0f, as_it_is)));
    const Tensor ours = softmax(Tensor::from({1, 5}, scores) + nothing);
    fmt::print(show.out, "  {:<36} {}\n", "-inf, softmax of chapter 01",
               joined({ours.values().begin(), ours.values().end()}));
    for (const float forbidden : {-infinity, -1e9f, -1e4f}) {
        for (const bool half : {false, true}) {
            fmt::print(show.out, "  {:<36} {}\n",
                       fmt::format("{:g}, PyTorch's formula, {}", forbidden, half ? "half" : "float32"),
                       joined(weights_of(scores, forbidden, half ? round_to_half : as_it_is)));
        }
    }
}

}  // namespace tfs
