// tests/mistakes/01_attention/split_heads.reshape_without_transpose.cpp · step 1.4 done wrong
// (batch, heads, seq, d) by one reshape.
// The checklist must say: "reshaped without the transpose"
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    const std::size_t batch = x.size(0), seq = x.size(1), d = x.size(2) / num_heads;
    return reshape(x, {batch, num_heads, seq, d});
}

}  // namespace tfs
