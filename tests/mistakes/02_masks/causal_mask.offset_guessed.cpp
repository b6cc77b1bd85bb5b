// tests/mistakes/02_masks/causal_mask.offset_guessed.cpp · step 2.2 done wrong
// The queries are taken for the last keys, whatever the offset is.
// The checklist must say: "`offset` is guessed as keys - queries"
#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask causal_mask(std::size_t queries, std::size_t keys, std::size_t offset) {
    require_causal_sizes(queries, keys, offset);
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, queries, keys});
    for (std::size_t i = 0; i < queries; ++i) {
        for (std::size_t j = 0; j < keys; ++j) allowed(0, 0, i, j) = j <= i + (keys - queries);
    }
    return Mask(std::move(allowed));  // (1, 1, query, key)
}

Mask causal_mask(std::size_t seq) { return causal_mask(seq, seq, 0); }

}  // namespace tfs
