// Step 13.3 · attention_in_tiles · ●●● · 30 min
// exercises/13_long_inputs/attention_in_tiles.cpp · check yours with ./tutorial check 13.3
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
        // TODO 13.3: Tile after tile, what 13.1 does with a key: `scores_of`, `hide` where only some keys are seen, then row by row
        // `largest_in`, `to_weights`, `multiply`. At the end of the tile, `add_product` adds weights times values to block.output.
        throw NotImplemented("13.3 attention_in_tiles");
    }
    // TODO 13.3: Each row is divided, once; its log_sum is ln of the sum of exp(score). Rows that saw nothing stay as they are.
    throw NotImplemented("13.3 attention_in_tiles");
    return block;
}

}  // namespace tfs
