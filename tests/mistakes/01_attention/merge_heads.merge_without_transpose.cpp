// tests/mistakes/01_attention/merge_heads.merge_without_transpose.cpp · step 1.5 done wrong
// (batch, seq, heads * d) by one reshape.
// The checklist must say: "merged without the transpose"
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    return reshape(x, {batch, seq, heads * d});
}

}  // namespace tfs
