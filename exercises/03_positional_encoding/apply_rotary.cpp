// Step 3.4 · apply_rotary · ●●● · 25 min
// exercises/03_positional_encoding/apply_rotary.cpp · check yours with ./tutorial check 3.4
#include "chapters/03_positional_encoding/given/checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    // TODO 3.4: Turn each pair of columns of x by the angle of its position, in both layouts. The result has
    // the shape of x.
    throw NotImplemented("3.4 apply_rotary");
}

}  // namespace tfs
