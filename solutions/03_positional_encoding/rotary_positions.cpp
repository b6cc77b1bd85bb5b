// Step 3.2 · rotary_positions · ●●○ · 15 min
// solutions/03_positional_encoding/rotary_positions.cpp
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "chapters/03_positional_encoding/given/position_checks.hpp"
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

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    // begin: Turn each pair of columns of x by the angle of its position, in both layouts. The result has
    // the shape of x.
    const bool interleaved = layout == RotaryLayout::interleaved;
    const std::size_t seq = x.size(-2), pairs = x.size(-1) / 2;
    const Tensor halves = interleaved ? even_columns_first(x) : x;  // all a, then all b
    const Tensor a = slice(halves, -1, 0, pairs);                   // (…, seq, pair)
    const Tensor b = slice(halves, -1, pairs, 2 * pairs);           // (…, seq, pair)
    const Tensor cos = slice(rotary.cos, 0, offset, offset + seq);  // (seq, pair)
    const Tensor sin = slice(rotary.sin, 0, offset, offset + seq);  // (seq, pair)
    const Tensor turned = concat({a * cos - b * sin, a * sin + b * cos}, -1);
    return interleaved ? even_columns_back(turned) : turned;  // (…, seq, d_k)
    // end
}

}  // namespace tfs
