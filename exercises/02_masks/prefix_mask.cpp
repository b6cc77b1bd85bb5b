// Step 2.5 · prefix_mask · ●○○ · 10 min
// exercises/02_masks/prefix_mask.cpp · check yours with ./tutorial check 2.5
#include <fmt/format.h>

#include <utility>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask prefix_mask(std::size_t seq, std::size_t prefix) {
    require_seq("prefix_mask", seq);
    if (prefix > seq) {
        throw ValueError(
            fmt::format("prefix_mask: a prefix of {} does not fit into {} positions", prefix, seq));
    }
    // TODO 2.5: The mask (1, 1, query, key) of a prefix language model.
    throw NotImplemented("2.5 prefix_mask");
}

}  // namespace tfs
