// Step 3.1 · sinusoidal_positional_encoding · ●●○ · 20 min
// exercises/03_positional_encoding/sinusoidal_positional_encoding.cpp · check yours with ./tutorial check 3.1
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "chapters/03_positional_encoding/given/checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

SinusoidalPositionalEncoding::SinusoidalPositionalEncoding(std::size_t d_model, std::size_t max_len) {
    if (d_model == 0 || max_len == 0) {
        throw ValueError(fmt::format("SinusoidalPositionalEncoding({}, {}): both sizes must be at least 1",
                                     d_model, max_len));
    }
    require_addressable({max_len, d_model});
    // TODO 3.1: Refuse an odd d_model with a ValueError that names it. Then fill `table` by the contract's formula.
    throw NotImplemented("3.1 sinusoidal_positional_encoding");
}

Tensor SinusoidalPositionalEncoding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("SinusoidalPositionalEncoding", x, table.size(-1));
    const std::size_t seq = x.size(-2);
    require_positions("SinusoidalPositionalEncoding", offset, seq, table.size(0));
    // TODO 3.1: Return x plus the rows of its positions.
    throw NotImplemented("3.1 sinusoidal_positional_encoding");
}

}  // namespace tfs
