// common/base/rng.cpp · uniform, normal and Bernoulli transforms of the 64-bit Mersenne Twister
#include "common/base/rng.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "common/base/errors.hpp"
#include "common/base/parallel.hpp"

namespace tfs {

double Rng::uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

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
    Array values = Array::from_shape(shape);
    for (float& value : values.storage()) value = static_cast<float>(uniform(low, high));
    return values;
}

Array Rng::normal_array(const Shape& shape, double mean, double standard_deviation) {
    Array values = Array::from_shape(shape);
    for (float& value : values.storage()) value = static_cast<float>(normal(mean, standard_deviation));
    return values;
}

Coins Rng::coins(double probability) {
    if (!(probability >= 0.0 && probability <= 1.0)) {
        throw ValueError(fmt::format("Rng::coins: the probability {} is not in [0, 1]", probability));
    }
    // Rounded up, so that (bits >> 11) / 2^53 < probability, as uniform() < probability would decide.
    return {engine_(), static_cast<std::uint64_t>(std::ceil(probability * 0x1.0p53))};
}

Array Rng::bernoulli_array(const Shape& shape, double probability) {
    const Coins coin = coins(probability);
    Array values = Array::from_shape(shape);
    float* out = values.data();
    parallel_pieces(values.size(), [&](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) out[i] = coin(i) ? 1.0f : 0.0f;
    });
    return values;
}

std::string Rng::state() const {
    std::ostringstream text;
    text << engine_;
    return text.str();
}

void Rng::set_state(const std::string& state) {
    std::istringstream text(state);
    std::mt19937_64 engine;
    if (!(text >> engine))
        throw ValueError("Rng::set_state: the text is not a state that Rng::state() wrote");
    engine_ = engine;
}

}  // namespace tfs
