// tests/mistakes/01_attention/split_heads.no_transpose_at_all.cpp · step 1.4 done wrong
// (batch, seq, heads, d) is returned.
// The checklist must say: "the heads still stand behind the positions"
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    const std::size_t batch = x.size(0), seq = x.size(1), d = x.size(2) / num_heads;
    const Tensor by_head = reshape(x, {batch, seq, num_heads, d});  // (batch, seq, heads, d)
    return by_head;
}

}  // namespace tfs
