// Step 3.2 · rotary_positions · ●●○ · 30 min
// exercises/03_positional_encoding/rotary_positions.cpp · check yours with ./tutorial check 3.2
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
    // TODO 3.2: Refuse an odd d_k with a ValueError that names it. Then fill the members `cos` and `sin`, in double.
    // (Inside this function `cos` and `sin` are the members; the functions are std::cos and std::sin.)
    throw NotImplemented("3.2 rotary_positions");
}

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    // TODO 3.2: Turn each pair of columns of x by the angle of its position, in both layouts. The result has
    // the shape of x.
    throw NotImplemented("3.2 rotary_positions");
}

}  // namespace tfs
