// chapters/02_masks/given/global_tokens.cpp · which positions are global, as masks of queries and of keys, given
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

namespace {

Mask marked(const char* operation, std::size_t seq, const std::vector<std::size_t>& global,
            const Shape& shape) {
    require_seq(operation, seq);
    xt::xarray<bool> is_global = xt::xarray<bool>::from_shape(shape);
    is_global.fill(false);
    for (const std::size_t position : global) {
        if (position >= seq) {
            throw ValueError(fmt::format("{}: there is no position {} among {} (they are 0 to {})", operation,
                                         position, seq, seq - 1));
        }
        is_global.data()[position] = true;
    }
    return Mask(std::move(is_global));
}

}  // namespace

Mask global_queries(std::size_t seq, const std::vector<std::size_t>& global) {
    return marked("global_queries", seq, global, {1, 1, seq, 1});
}

Mask global_keys(std::size_t seq, const std::vector<std::size_t>& global) {
    return marked("global_keys", seq, global, {1, 1, 1, seq});
}

}  // namespace tfs
