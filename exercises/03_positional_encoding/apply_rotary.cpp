// Step 3.4 · apply_rotary · ●●● · 25 min
// exercises/03_positional_encoding/apply_rotary.cpp · check yours with ./tutorial check 3.4
#include "chapters/03_positional_encoding/given/checks.hpp"

namespace tfs {

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    // TODO 3.4: View the width as its pairs: (d_k/2, 2) where they are neighbours, (2, d_k/2) where the halves are
    // partners. So the axis of size 2 separates the first column of every pair from the second. Turn these two, each
    // (…, seq, d_k/2), by the rows of `cos` and `sin` for their positions, and put them back in their places.
    throw NotImplemented("3.4 apply_rotary");
}

}  // namespace tfs
