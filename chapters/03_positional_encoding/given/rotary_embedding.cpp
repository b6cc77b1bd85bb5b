// chapters/03_positional_encoding/given/rotary_embedding.cpp · the table of the angles
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

RotaryEmbedding::RotaryEmbedding(std::size_t d_k, std::size_t max_len, double theta) {
    if (d_k == 0 || max_len == 0 || !std::isfinite(theta) || theta <= 0.0) {
        throw ValueError(fmt::format(
            "RotaryEmbedding({}, {}, {:g}): both sizes must be at least 1, and theta positive and finite",
            d_k, max_len, theta));
    }
    require_addressable({max_len, d_k});
    if (d_k % 2 != 0) {
        throw ValueError(fmt::format("RotaryEmbedding: d_k = {} is odd; columns are turned in pairs", d_k));
    }
    const std::size_t pairs = d_k / 2;
    Array cosines = Array::from_shape({max_len, pairs}), sines = Array::from_shape({max_len, pairs});
    for (std::size_t i = 0; i < pairs; ++i) {
        const double frequency = std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(d_k));
        for (std::size_t m = 0; m < max_len; ++m) {
            const double angle = static_cast<double>(m) * frequency;
            cosines(m, i) = static_cast<float>(std::cos(angle));
            sines(m, i) = static_cast<float>(std::sin(angle));
        }
    }
    cos = Tensor(std::move(cosines));  // (max_len, d_k / 2)
    sin = Tensor(std::move(sines));    // (max_len, d_k / 2)
}

}  // namespace tfs
