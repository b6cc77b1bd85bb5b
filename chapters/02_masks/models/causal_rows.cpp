// chapters/02_masks/models/causal_rows.cpp · the causal mask of a batch whose rows begin at different positions
#include <algorithm>
#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask causal_mask(std::size_t queries, std::size_t keys, const Offset& offset) {
    if (offset.is_one()) return causal_mask(queries, keys, offset[0]);
    require_causal_sizes(queries, keys, offset.largest());
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({offset.rows(), 1, queries, keys});
    for (std::size_t row = 0; row < offset.rows(); ++row) {
        const Mask mask = causal_mask(queries, keys, offset[row]);
        std::copy_n(mask.array().data(), queries * keys, allowed.data() + row * queries * keys);
    }
    return Mask(std::move(allowed));  // (batch, 1, query, key)
}

}  // namespace tfs
