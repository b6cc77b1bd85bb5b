// Step 2.2 · padding_mask · ●●○ · 15 min
// solutions/02_masks/padding_mask.cpp
#include <fmt/format.h>

#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

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

}  // namespace tfs
