// Step 2.1 · mask_rules · ●●○ · 20 min
// solutions/02_masks/mask_rules.cpp
#include <fmt/format.h>

#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"
#include "common/base/array.hpp"

namespace tfs {

Mask causal_mask(std::size_t queries, std::size_t keys, std::size_t offset) {
    require_causal_sizes(queries, keys, offset);
    // begin: The causal mask (1, 1, query, key), for queries that come after `offset` keys.
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, queries, keys});
    for (std::size_t i = 0; i < queries; ++i) {
        for (std::size_t j = 0; j < keys; ++j) allowed(0, 0, i, j) = j <= i + offset;
    }
    return Mask(std::move(allowed));  // (1, 1, query, key)
    // end
}

Mask causal_mask(std::size_t seq) { return causal_mask(seq, seq, 0); }

Mask padding_mask(const Ids& tokens, std::int64_t pad_id) {
    require_sequences("padding_mask", tokens);
    // begin: The mask (batch, 1, 1, key) that hides padding. A sequence of nothing but padding is a ValueError.
    const std::size_t batch = tokens.shape()[0], keys = tokens.shape()[1];
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({batch, 1, 1, keys});
    for (std::size_t b = 0; b < batch; ++b) {
        bool any = false;
        for (std::size_t j = 0; j < keys; ++j) {
            allowed(b, 0, 0, j) = tokens(b, j) != pad_id;
            any = any || allowed(b, 0, 0, j);
        }
        if (!any) {
            throw ValueError(
                fmt::format("padding_mask: sentence {} of {} is only padding (all its {} tokens are {}); "
                            "leave it out of the batch",
                            b + 1, batch, keys, pad_id));
        }
    }
    return Mask(std::move(allowed));  // (batch, 1, 1, key)
    // end
}

Mask operator&(const Mask& a, const Mask& b) {
    // begin: Allow what both masks allow, in the shape that both broadcast to.
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "mask & mask");
    xt::xarray<bool> allowed = a.expanded(shape);
    const xt::xarray<bool> other = b.expanded(shape);
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed.data()[i] = allowed.data()[i] && other.data()[i];
    return Mask(std::move(allowed));
    // end
}

}  // namespace tfs
