// chapters/02_masks/models/prefix_mask.cpp · the mask of a prefix language model
#include <fmt/format.h>

#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask prefix_mask(std::size_t seq, std::size_t prefix) {
    require_seq("prefix_mask", seq);
    if (prefix > seq) {
        throw ValueError(
            fmt::format("prefix_mask: a prefix of {} does not fit into {} positions", prefix, seq));
    }
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, seq, seq});
    for (std::size_t i = 0; i < seq; ++i) {
        for (std::size_t j = 0; j < seq; ++j) allowed(0, 0, i, j) = j <= i || j < prefix;
    }
    return Mask(std::move(allowed));  // (1, 1, query, key)
}

}  // namespace tfs
