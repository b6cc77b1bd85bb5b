// tests/mistakes/03_positional_encoding/rotary_frequencies.angles_in_float.cpp · step 3.3 done wrong
// The angle is computed in float.
// The checklist must say: "the angle is computed in float"
#include <fmt/format.h>

#include <cmath>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

RotaryEmbedding::RotaryEmbedding(std::size_t d_k, std::size_t max_len, double theta) {
    if (d_k == 0 || max_len == 0 || !(theta > 0.0)) {
        throw ValueError(
            fmt::format("RotaryEmbedding({}, {}, {:g}): both sizes must be at least 1 and theta positive",
                        d_k, max_len, theta));
    }
    if (d_k % 2 != 0) {
        throw ValueError(fmt::format("RotaryEmbedding: d_k = {} is odd; columns are turned in pairs", d_k));
    }
    const std::size_t pairs = d_k / 2;
    Array cosines = Array::from_shape({max_len, pairs}), sines = Array::from_shape({max_len, pairs});
    for (std::size_t i = 0; i < pairs; ++i) {
        const double frequency = std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(d_k));
        for (std::size_t m = 0; m < max_len; ++m) {
            const float angle = static_cast<float>(m) * static_cast<float>(frequency);
            cosines(m, i) = std::cos(angle);
            sines(m, i) = std::sin(angle);
        }
    }
    cos = Tensor(std::move(cosines));  // (max_len, d_k / 2)
    sin = Tensor(std::move(sines));    // (max_len, d_k / 2)
}

}  // namespace tfs
