// tests/mistakes/01_attention/split_heads.transposed_too_early.cpp · step 1.4 done wrong
// The axes are swapped before the width is cut.
// The checklist must say: "transposed before the width was cut"
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    const std::size_t batch = x.size(0), seq = x.size(1), d = x.size(2) / num_heads;
    return reshape(transpose(x, 1, 2), {batch, num_heads, seq, d});
}

}  // namespace tfs
