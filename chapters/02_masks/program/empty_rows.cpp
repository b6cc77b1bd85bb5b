// chapters/02_masks/program/claims.cpp · what the lesson claims, measured: padding, rows with nothing to see, stacked windows
#include "chapters/02_masks/program/claims.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

void measure_padding(std::ostream& out, const Example& e) {
    const Mask mask = padding_mask(e.ids, pad_id);
    const Tensor masked = e.attention(e.batch_x, e.batch_x, e.batch_x, mask).output;
    const Tensor unmasked = e.attention(e.batch_x, e.batch_x, e.batch_x).output;
    fmt::print(out, "  {:>9} {:>8} {:>9} {:>22} {:>22}\n", "sentence", "tokens", "padding",
               "difference, masked", "difference, unmasked");
    for (std::size_t b = 0; b < e.sentences.size(); ++b) {
        const auto sentence = [&](const Tensor& t) {
            return slice(slice(t, 0, b, b + 1), 1, 0, e.lengths[b]);
        };
        const Tensor x = sentence(e.batch_x), alone = e.attention(x, x, x).output;
        const double difference = largest_difference(sentence(masked).array(), alone.array());
        fmt::print(out, "  {:>9} {:>8} {:>9} {:>22} {:>22.3f}\n", b + 1, e.lengths[b],
                   e.sentences[b].size() - e.lengths[b], small_or_number(difference, 2),
                   largest_difference(sentence(unmasked).array(), alone.array()));
    }
}

void measure_nothing_allowed(std::ostream& out, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<float> scores;
    for (int j = 0; j < 5; ++j) scores.push_back(static_cast<float>(rng.normal()));
    const Tensor nothing = Tensor::full({1, 5}, -infinity);
    fmt::print(out, "  {:<36} {}\n", "not masked at all", joined(weights_of(scores, 0.0f, as_it_is)));
    const Tensor ours = softmax(Tensor::from({1, 5}, scores) + nothing);
    fmt::print(out, "  {:<36} {}\n", "-inf, softmax of chapter 01",
               joined({ours.values().begin(), ours.values().end()}));
    for (const float forbidden : {-infinity, -1e9f, -1e4f}) {
        for (const bool half : {false, true}) {
            fmt::print(out, "  {:<36} {}\n",
                       fmt::format("{:g}, PyTorch's formula, {}", forbidden, half ? "half" : "float32"),
                       joined(weights_of(scores, forbidden, half ? round_to_half : as_it_is)));
        }
    }
}

void measure_reach(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t seq = 24, d_model = 16, window = 4;
    const Mask mask = sliding_window_mask(seq, window);
    Rng rng(seed);
    const Array values = rng.normal_array({1, seq, d_model});
    std::vector<MultiHeadAttention> stack;
    fmt::print(out, "  {:>8} {:>20} {:>16}\n", "layers", "positions reached", "L (w - 1) + 1");
    for (std::size_t layers = 1; layers <= 5; ++layers) {
        stack.emplace_back(d_model, 2, rng);
        const Tensor x(values, true);
        Tensor y = x;
        for (const MultiHeadAttention& layer : stack) y = layer(y, y, y, mask).output;
        sum(slice(y, 1, seq - 1, seq)).backward();
        std::size_t reached = 0;
        for (std::size_t j = 0; j < seq; ++j) {
            const float* row = x.grad().data() + j * d_model;
            reached += std::any_of(row, row + d_model, [](float g) { return g != 0.0f; });
        }
        fmt::print(out, "  {:>8} {:>20} {:>16}\n", layers, reached, layers * (window - 1) + 1);
    }
}

}  // namespace tfs
