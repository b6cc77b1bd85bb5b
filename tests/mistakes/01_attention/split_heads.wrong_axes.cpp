// tests/mistakes/01_attention/split_heads.wrong_axes.cpp · step 1.4 done wrong: axes 2 and 3 are swapped
// The checklist must say: "the wrong axes are swapped"
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    const std::size_t batch = x.size(0), seq = x.size(1), d = x.size(2) / num_heads;
    return transpose(reshape(x, {batch, seq, num_heads, d}), 2, 3);
}

}  // namespace tfs
