// Step 13.5 · attention_gradient · ●●● · 40 min, optional
// solutions/13_long_inputs/attention_gradient.cpp
#include <cmath>
#include <span>
#include <vector>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

void attention_gradient(const Head& head, Range queries, const Visible& visible, const BlockOutput& block,
                        const Matrix& d_output, HeadGradients& gradients) {
    require_gradient(head, queries, visible, block, d_output, gradients);
    // begin: First D, a number for each query: its dO times its output. Then for each tile that is not hidden: p from `scores_of`,
    // `hide` and `to_weights`; ds from `product_with_transposed`; and what they add to dv (`add_transposed_product`), dq
    // (`add_product`) and dk. scores_of has scaled the scores; the gradients need the scale once, too.
    const std::span<const KeySpan> seen = std::span(visible).subspan(queries.begin, queries.size());
    const float scale = 1.0f / std::sqrt(static_cast<float>(head.q.width));
    std::vector<float> d(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
        for (std::size_t c = 0; c < head.v.width; ++c) d[i] += d_output.row(i)[c] * block.output.row(i)[c];
    for (const Range keys : pieces_of(head.k.rows, tile_keys)) {
        const Sees sees = tile_sees(seen, keys);
        if (sees == Sees::nothing) continue;
        Matrix p = scores_of(head, queries, keys);  // (queries, keys)
        if (sees == Sees::some) hide(p, queries, keys, visible);
        Matrix ds = product_with_transposed(d_output, head.v, keys);  // (queries, keys): dO vᵀ
        for (std::size_t i = 0; i < queries.size(); ++i) {
            to_weights(p.row(i), block.log_sums[i]);
            for (std::size_t j = 0; j < keys.size(); ++j)
                ds.row(i)[j] = scale * p.row(i)[j] * (ds.row(i)[j] - d[i]);
        }
        add_transposed_product(gradients.dv, keys, p, d_output, {0, queries.size()});
        add_product(gradients.dq, queries, ds, head.k, keys);
        add_transposed_product(gradients.dk, keys, ds, head.q, queries);
    }
    // end
}

}  // namespace tfs
