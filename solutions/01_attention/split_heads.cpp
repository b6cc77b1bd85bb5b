// Step 1.4 · split_heads · ●●○ · 10 min
// solutions/01_attention/split_heads.cpp
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    // begin: View the width as (heads, d), then move the heads in front of the positions. The order of these two
    // matters: the width lies contiguous in memory, the positions don't.
    const std::size_t batch = x.size(0), seq = x.size(1), d = x.size(2) / num_heads;
    const Tensor by_head = reshape(x, {batch, seq, num_heads, d});  // (batch, seq, heads, d)
    return transpose(by_head, 1, 2);                                // (batch, heads, seq, d)
    // end
}

}  // namespace tfs
