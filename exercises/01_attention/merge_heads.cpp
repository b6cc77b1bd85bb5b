// Step 1.5 · merge_heads · ●○○ · 5 min
// exercises/01_attention/merge_heads.cpp · check yours with ./tutorial check 1.5
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    // TODO 1.5: Undo split_heads: bring each position's heads together first, then view (heads, d) as one width.
    throw NotImplemented("1.5 merge_heads");
}

}  // namespace tfs
