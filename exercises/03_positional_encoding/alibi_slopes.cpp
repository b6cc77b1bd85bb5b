// Step 3.6 · alibi_slopes · ●●○ · 15 min
// exercises/03_positional_encoding/alibi_slopes.cpp · check yours with ./tutorial check 3.6
#include <bit>
#include <cmath>
#include <utility>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/base/array.hpp"

namespace tfs {

Tensor alibi_slopes(std::size_t num_heads) {
    if (num_heads == 0) throw ValueError("alibi_slopes: 0 heads; there must be at least 1 to have a slope");
    Array slopes = make_array({num_heads});  // (heads)
    // TODO 3.6: Fill `slopes`, one for each head, for any number of heads, as the contract says.
    throw NotImplemented("3.6 alibi_slopes");
}

}  // namespace tfs
