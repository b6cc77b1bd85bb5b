// Step 13.4 · hidden_tiles · ●○○ · 15 min
// solutions/13_long_inputs/hidden_tiles.cpp
#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

Sees tile_sees(std::span<const KeySpan> visible, Range keys) {
    require_tile(visible, keys);
    // begin: Does any query see one of these keys? Does every query see all of them? An empty run sees nothing.
    bool some = false, all = true;
    for (const KeySpan& seen : visible) {
        some = some || (seen.begin < seen.end && seen.begin < keys.end && seen.end > keys.begin);
        all = all && seen.begin <= keys.begin && seen.end >= keys.end;
    }
    return all ? Sees::all : some ? Sees::some : Sees::nothing;
    // end
}

}  // namespace tfs
