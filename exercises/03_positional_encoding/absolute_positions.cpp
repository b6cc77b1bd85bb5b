// Step 3.1 · absolute_positions · ●●○ · 15 min
// exercises/03_positional_encoding/absolute_positions.cpp · check yours with ./tutorial check 3.1
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

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
    require_addressable({max_len, d_model});
    Array values = Array::from_shape({max_len, d_model});
    // TODO 3.1: This function and the next one run, and every position gets a row of its own. There are three faults in the two.
    // Measure before you mend: ./tutorial run 3 --mine -- --deeper
    for (std::size_t column = 0; column < d_model; ++column) {
        const float exponent = static_cast<float>(column) / static_cast<float>(d_model);
        const float frequency = std::pow(10000.0f, -exponent);
        for (std::size_t pos = 0; pos < max_len; ++pos) {
            const float angle = static_cast<float>(pos) * frequency;
            values(pos, column) = column % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    }
    table = Tensor(std::move(values));  // (max_len, d_model)
}

Tensor SinusoidalPositionalEncoding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("SinusoidalPositionalEncoding", x, table.size(-1));
    const std::size_t seq = x.size(-2);
    require_positions("SinusoidalPositionalEncoding", offset, seq, table.size(0));
    // TODO 3.1: This line may have one of the three faults.
    return x + slice(table, 0, 0, seq);  // (…, seq, d_model) + (seq, d_model)
}

}  // namespace tfs
