// chapters/02_masks/given/mask_checks.cpp · the checks of chapter 02, given
#include "chapters/02_masks/given/mask_checks.hpp"

#include <fmt/format.h>

#include "common/base/array.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

void require_sequences(std::string_view operation, const Ids& ids) {
    require_shapes(operation, {{"ids", ids, "batch+ seq+"}});
}

void require_seq(std::string_view operation, std::size_t seq) {
    if (seq == 0) throw ShapeError(fmt::format("{}: a sequence of 0 positions has no mask", operation));
    require_addressable({1, 1, seq, seq}, sizeof(bool));
}

void require_causal_sizes(std::size_t queries, std::size_t keys, std::size_t offset) {
    if (queries == 0) throw ShapeError(fmt::format("causal_mask: 0 queries for {} keys", keys));
    if (keys < queries || keys - queries < offset) {  // offset + queries may be too large for its type
        throw ShapeError(fmt::format(
            "causal_mask: {} keys are too few for {} queries after an offset of {}; `keys` counts "
            "the cached keys as well",
            keys, queries, offset));
    }
    require_addressable({1, 1, queries, keys}, sizeof(bool));
}

}  // namespace tfs
