// tests/mistakes/01_attention/merge_heads.wrong_axes.cpp · step 1.5 done wrong: axes 2 and 3 are swapped
// The checklist must say: "the wrong axes are swapped"
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    return reshape(transpose(x, 2, 3), {batch, seq, heads * d});
}

}  // namespace tfs
