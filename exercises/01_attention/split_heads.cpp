// Step 1.4 · split_heads · ●●○ · 15 min
// exercises/01_attention/split_heads.cpp · check yours with ./tutorial check 1.4
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    // TODO 1.4: View the width as (heads, d), then move the heads in front of the positions. The order of these two
    // matters: the width lies contiguous in memory, the positions don't.
    throw NotImplemented("1.4 split_heads");
}

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    // TODO 1.4: Undo split_heads: bring each position's heads together first, then view (heads, d) as one width.
    throw NotImplemented("1.4 split_heads");
}

}  // namespace tfs
