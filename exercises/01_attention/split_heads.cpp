// Step 1.4 · split_heads · ●●○ · 15 min
// exercises/01_attention/split_heads.cpp · check yours with ./tutorial check 1.4
#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/attention_checks.hpp"

namespace tfs {

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    // TODO 1.4: Cut the width into heads: head h gets the columns h*d … h*d + d-1 of every position.
    throw NotImplemented("1.4 split_heads");
}

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    // TODO 1.4: Join the heads again, so that merge_heads(split_heads(x, n)) is x.
    throw NotImplemented("1.4 split_heads");
}

}  // namespace tfs
