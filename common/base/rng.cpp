// common/base/rng.cpp · uniform, normal and Bernoulli transforms of the 64-bit Mersenne Twister
#include "common/base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "common/base/array.hpp"
#include "common/base/errors.hpp"
#include "common/base/parallel.hpp"

namespace tfs {

namespace {

constexpr const char* state_of_zeros = "zeros";

Array zero_array(const Shape& shape) {
    Array values = make_array(shape);
    std::fill_n(values.data(), values.size(), 0.0f);
    return values;
}

// By itself, so that the loops that draw stay small.
[[noreturn, gnu::noinline, gnu::cold]] void refuse_to_draw() {
    throw ValueError("Rng::zeros: this Rng draws nothing; it is for modules whose weights are loaded or set");
}

}  // namespace

std::mt19937_64& Rng::engine() {
    if (!engine_) refuse_to_draw();
    return *engine_;
}

double Rng::uniform() { return static_cast<double>(engine()() >> 11) * 0x1.0p-53; }

double Rng::normal(double mean, double standard_deviation) {
    const double u1 = 1.0 - uniform();  // in (0, 1]: the logarithm needs a positive number
    const double u2 = uniform();
    return mean + standard_deviation * std::sqrt(-2.0 * std::log(u1)) * std::cos(2.0 * std::numbers::pi * u2);
}

std::size_t Rng::below(std::size_t count) {
    if (count == 0) throw ValueError("Rng::below: the count is 0, so there is nothing to draw from");
    return static_cast<std::size_t>(uniform() * static_cast<double>(count));
}

Array Rng::uniform_array(const Shape& shape, double low, double high) {
    if (!engine_) return zero_array(shape);
    Array values = make_array(shape);
    for (float& value : values.storage()) value = static_cast<float>(uniform(low, high));
    return values;
}

Array Rng::normal_array(const Shape& shape, double mean, double standard_deviation) {
    if (!engine_) return zero_array(shape);
    Array values = make_array(shape);
    for (float& value : values.storage()) value = static_cast<float>(normal(mean, standard_deviation));
    return values;
}

BernoulliSequence Rng::bernoulli(double probability) {
    if (!(probability >= 0.0 && probability <= 1.0)) {
        throw ValueError(fmt::format("Rng::coins: the probability {} is not in [0, 1]", probability));
    }
    // Rounded up, so that (bits >> 11) / 2^53 < probability, as uniform() < probability would decide.
    return {engine()(), static_cast<std::uint64_t>(std::ceil(probability * 0x1.0p53))};
}

Array Rng::bernoulli_array(const Shape& shape, double probability) {
    const BernoulliSequence coin = bernoulli(probability);
    Array values = make_array(shape);
    float* out = values.data();
    parallel_pieces(values.size(), [&](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) out[i] = coin(i) ? 1.0f : 0.0f;
    });
    return values;
}

std::string Rng::state() const {
    if (!engine_) return state_of_zeros;
    std::ostringstream text;
    text << *engine_;
    return text.str();
}

void Rng::set_state(const std::string& state) {
    if (state == state_of_zeros) {
        engine_.reset();
        return;
    }
    std::istringstream text(state);
    std::mt19937_64 restored;
    if (!(text >> restored))
        throw ValueError("Rng::set_state: the text is not a state that Rng::state() wrote");
    engine_ = restored;
}

}  // namespace tfs
