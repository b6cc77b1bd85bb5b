// Step 3.6 · alibi_slopes · ●●○ · 15 min
// exercises/03_positional_encoding/alibi_slopes.cpp · check yours with ./tutorial check 3.6
#include <bit>
#include <cmath>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/base/array.hpp"

namespace tfs {

Tensor alibi_slopes(std::size_t num_heads) {
    if (num_heads == 0) throw ValueError("alibi_slopes: 0 heads; there must be at least 1 to have a slope");
    Array slopes = make_array({num_heads});  // (heads)
    // TODO 3.6: Take the largest power of two p that is not above num_heads (`std::bit_floor`), and its slopes 2^(-8k/p)
    // for k = 1 … p. Heads that are left over get, from the steepest on, every other slope of 2p heads: those of
    // k = 1, 3, 5, …, which lie between the first ones.
    throw NotImplemented("3.6 alibi_slopes");
}

}  // namespace tfs
