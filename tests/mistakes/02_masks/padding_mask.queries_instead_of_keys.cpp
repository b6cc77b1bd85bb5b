// tests/mistakes/02_masks/padding_mask.queries_instead_of_keys.cpp · step 2.1 done wrong
// The rows of the padding are hidden, its columns are not.
// The checklist must say: "it must be hidden among the keys"
#include <fmt/format.h>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask padding_mask(const Ids& tokens, std::int64_t pad_id) {
    require_sequences("padding_mask", tokens);
    const std::size_t batch = tokens.shape()[0], keys = tokens.shape()[1];
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({batch, 1, keys, 1});
    for (std::size_t b = 0; b < batch; ++b) {
        bool any = false;
        for (std::size_t j = 0; j < keys; ++j) {
            allowed(b, 0, j, 0) = tokens(b, j) != pad_id;
            any = any || allowed(b, 0, j, 0);
        }
        if (!any) {
            throw ValueError(
                fmt::format("padding_mask: sentence {} of {} is only padding (all its {} tokens are {}); "
                            "leave it out of the batch",
                            b + 1, batch, keys, pad_id));
        }
    }
    return Mask(std::move(allowed));  // (batch, 1, query, 1)
}

}  // namespace tfs
