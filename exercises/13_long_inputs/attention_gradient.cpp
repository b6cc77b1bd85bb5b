// Step 13.5 · attention_gradient · ●●● · 40 min, optional
// exercises/13_long_inputs/attention_gradient.cpp · check yours with ./tutorial check 13.5
#include <cmath>
#include <span>
#include <vector>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

void attention_gradient(const Head& head, Range queries, const Visible& visible, const BlockOutput& block,
                        const Matrix& d_output, HeadGradients& gradients) {
    require_gradient(head, queries, visible, block, d_output, gradients);
    // TODO 13.5: First D, a number for each query: its dO times its output. Then for each tile that is not hidden: p from `scores_of`,
    // `hide` and `to_weights`; ds from `product_with_transposed`; and what they add to dv (`add_transposed_product`), dq
    // (`add_product`) and dk. scores_of has scaled the scores; the gradients need the scale once, too.
    throw NotImplemented("13.5 attention_gradient");
}

}  // namespace tfs
