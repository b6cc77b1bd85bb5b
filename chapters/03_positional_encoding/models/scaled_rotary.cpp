// chapters/03_positional_encoding/models/scaled_rotary.cpp · rotary angles of any frequencies
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

RotaryEmbedding rotary_of(const std::vector<double>& frequencies, std::size_t max_len) {
    const std::size_t pairs = frequencies.size();
    if (pairs == 0 || max_len == 0)
        throw ValueError(fmt::format(
            "rotary_of: {} frequencies, {} positions; there must be at least 1 of each", pairs, max_len));
    RotaryEmbedding rotary(2 * pairs, max_len);
    Array cosines = Array::from_shape({max_len, pairs}), sines = Array::from_shape({max_len, pairs});
    for (std::size_t i = 0; i < pairs; ++i) {
        for (std::size_t pos = 0; pos < max_len; ++pos) {
            const double angle = static_cast<double>(pos) * frequencies[i];
            cosines(pos, i) = static_cast<float>(std::cos(angle));
            sines(pos, i) = static_cast<float>(std::sin(angle));
        }
    }
    rotary.cos = Tensor(std::move(cosines));  // (max_len, pair)
    rotary.sin = Tensor(std::move(sines));    // (max_len, pair)
    return rotary;
}

}  // namespace tfs
