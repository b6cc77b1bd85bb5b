// Step 13.3 · attention_in_tiles · ●●● · 30 min
// solutions/13_long_inputs/attention_in_tiles.cpp
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

BlockOutput attention_in_tiles(const Head& head, Range queries, const Visible& visible) {
    require_block(head, queries, visible);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::span<const KeySpan> seen = std::span(visible).subspan(queries.begin, queries.size());
    BlockOutput block{Matrix(queries.size(), head.v.width), std::vector<float>(queries.size(), infinity)};
    std::vector<float> largest(queries.size(), -infinity), sums(queries.size());
    for (const Range keys : pieces_of(head.k.rows, tile_keys)) {
        const Sees sees = tile_sees(seen, keys);
        if (sees == Sees::nothing) continue;
        // begin: Tile after tile, what 13.1 does with a key: `scores_of`, `hide` where only some keys are seen, then row by row
        // `largest_in`, `to_weights`, `multiply`. At the end of the tile, `add_product` adds weights times values to block.output.
        Matrix scores = scores_of(head, queries, keys);  // (queries, keys)
        if (sees == Sees::some) hide(scores, queries, keys, visible);
        for (std::size_t i = 0; i < queries.size(); ++i) {
            const float now = largest_in(scores.row(i), largest[i]);
            const float shift = now == -infinity ? 0.0f : now;  // nothing seen yet: -inf - -inf would be NaN
            const float factor = std::exp(largest[i] - shift);
            sums[i] = sums[i] * factor + to_weights(scores.row(i), shift);
            multiply(block.output.row(i), factor);
            largest[i] = now;
        }
        add_product(block.output, {0, queries.size()}, scores, head.v, keys);
        // end
    }
    // begin: Each row is divided, once; its log_sum is ln of the sum of exp(score). Rows that saw nothing stay as they are.
    for (std::size_t i = 0; i < queries.size(); ++i) {
        if (sums[i] == 0.0f) continue;
        multiply(block.output.row(i), 1.0f / sums[i]);
        block.log_sums[i] = largest[i] + std::log(sums[i]);
    }
    // end
    return block;
}

}  // namespace tfs
