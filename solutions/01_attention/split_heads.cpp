// Step 1.4 · split_heads · ●●○ · 15 min
// solutions/01_attention/split_heads.cpp
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/attention_checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    // begin: Cut the width into heads: head h gets the columns h*d … h*d + d-1 of every position.
    const std::size_t batch = x.size(0), seq = x.size(1), d = x.size(2) / num_heads;
    const Tensor by_head = reshape(x, {batch, seq, num_heads, d});  // (batch, seq, heads, d)
    return transpose(by_head, 1, 2);                                // (batch, heads, seq, d)
    // end
}

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    // begin: Join the heads again, so that merge_heads(split_heads(x, n)) is x.
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    const Tensor by_position = transpose(x, 1, 2);         // (batch, seq, heads, d)
    return reshape(by_position, {batch, seq, heads * d});  // (batch, seq, heads * d)
    // end
}

}  // namespace tfs
