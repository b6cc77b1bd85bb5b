// Step 3.2 · rotary_positions · ●●○ · 15 min
// exercises/03_positional_encoding/rotary_positions.cpp · check yours with ./tutorial check 3.2
#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    // TODO 3.2: Turn each pair of columns of x by the angle of its position, in both layouts. The result has
    // the shape of x.
    throw NotImplemented("3.2 rotary_positions");
}

}  // namespace tfs
