// tests/mistakes/01_attention/split_heads.interleaved_columns.cpp · step 1.4 done wrong
// Head h gets every heads-th column.
// The checklist must say: "head h gets every heads-th column"
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    const std::size_t batch = x.size(0), seq = x.size(1), d = x.size(2) / num_heads;
    const Tensor by_head = transpose(reshape(x, {batch, seq, d, num_heads}), 2, 3);
    return transpose(by_head, 1, 2);
}

}  // namespace tfs
