// tests/mistakes/01_attention/merge_heads.interleaved_columns.cpp · step 1.5 done wrong
// The heads take turns column by column.
// The checklist must say: "the columns of the heads are interleaved"
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    const Tensor by_position = transpose(transpose(x, 1, 2), 2, 3);  // (batch, seq, d, heads)
    return reshape(by_position, {batch, seq, heads * d});            // (batch, seq, heads * d)
}

}  // namespace tfs
