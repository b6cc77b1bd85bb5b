// tests/mistakes/03_positional_encoding/sinusoidal_positional_encoding.wrong_width.cpp · step 3.1 done wrong
// Divided by d_model / 2 - 1, as in some published code.
// The checklist must say: "the exponent is divided by d_model - 1 or d_model / 2 - 1"
#include <fmt/format.h>

#include <cmath>

#include "chapters/03_positional_encoding/given/checks.hpp"

namespace tfs {

SinusoidalPositionalEncoding::SinusoidalPositionalEncoding(std::size_t d_model, std::size_t max_len) {
    if (d_model == 0 || max_len == 0) {
        throw ValueError(fmt::format("SinusoidalPositionalEncoding({}, {}): both sizes must be at least 1",
                                     d_model, max_len));
    }
    if (d_model % 2 != 0) {
        throw ValueError(fmt::format(
            "SinusoidalPositionalEncoding: d_model = {} is odd; sines and cosines come in pairs", d_model));
    }
    Array values = Array::from_shape({max_len, d_model});
    for (std::size_t pair = 0; pair < d_model / 2; ++pair) {
        const double exponent = static_cast<double>(pair) / (static_cast<double>(d_model) / 2.0 - 1.0);
        const double frequency = std::pow(10000.0, -exponent);
        for (std::size_t pos = 0; pos < max_len; ++pos) {
            const double angle = static_cast<double>(pos) * frequency;
            values(pos, 2 * pair) = static_cast<float>(std::sin(angle));
            values(pos, 2 * pair + 1) = static_cast<float>(std::cos(angle));
        }
    }
    table = Tensor(std::move(values));  // (max_len, d_model)
}

Tensor SinusoidalPositionalEncoding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("SinusoidalPositionalEncoding", x, table.size(-1));
    const std::size_t seq = x.size(-2), max_len = table.size(0);
    if (seq > max_len || offset > max_len - seq) {
        throw ValueError(fmt::format(
            "SinusoidalPositionalEncoding: {} positions from {} on don't fit the table of {} positions", seq,
            offset, max_len));
    }
    return x + slice(table, 0, offset, offset + seq);  // (…, seq, d_model) + (seq, d_model)
}

}  // namespace tfs
