// Step 1.5 · merge_heads · ●○○ · 5 min
// solutions/01_attention/merge_heads.cpp
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    // begin: Undo split_heads: bring each position's heads together first, then view (heads, d) as one width.
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    const Tensor by_position = transpose(x, 1, 2);         // (batch, seq, heads, d)
    return reshape(by_position, {batch, seq, heads * d});  // (batch, seq, heads * d)
    // end
}

}  // namespace tfs
