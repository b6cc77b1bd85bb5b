// Step 13.4 · hidden_tiles · ●○○ · 15 min
// exercises/13_long_inputs/hidden_tiles.cpp · check yours with ./tutorial check 13.4
#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

Sees tile_sees(std::span<const KeySpan> visible, Range keys) {
    require_tile(visible, keys);
    // TODO 13.4: Does any query see one of these keys? Does every query see all of them? An empty run sees nothing.
    throw NotImplemented("13.4 hidden_tiles");
}

}  // namespace tfs
