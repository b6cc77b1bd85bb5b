// tests/mistakes/02_masks/padding_mask.only_padding_accepted.cpp · step 2.1 done wrong
// A sentence that holds nothing passes silently.
// The checklist must say: "is accepted silently"
#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask padding_mask(const Ids& tokens, std::int64_t pad_id) {
    require_sequences("padding_mask", tokens);
    const std::size_t batch = tokens.shape()[0], keys = tokens.shape()[1];
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({batch, 1, 1, keys});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t j = 0; j < keys; ++j) {
            allowed(b, 0, 0, j) = tokens(b, j) != pad_id;
        }
    }
    return Mask(std::move(allowed));  // (batch, 1, 1, key)
}

}  // namespace tfs
