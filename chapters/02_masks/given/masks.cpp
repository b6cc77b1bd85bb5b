// chapters/02_masks/given/masks.cpp · checks, documents kept apart, global tokens
#include "chapters/02_masks/given/mask_checks.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "chapters/02_masks/masks.hpp"
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

Mask document_mask(const Ids& query_documents, const Ids& key_documents) {
    require_shapes("document_mask",
                   {{"query_documents", query_documents, "batch+ query+"},
                    {"key_documents", key_documents, "batch key+", "are they from different batches?"}});
    const std::size_t batch = query_documents.shape()[0];
    const std::size_t queries = query_documents.shape()[1], keys = key_documents.shape()[1];
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({batch, 1, queries, keys});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t i = 0; i < queries; ++i) {
            for (std::size_t j = 0; j < keys; ++j) {
                allowed(b, 0, i, j) = query_documents(b, i) == key_documents(b, j);
            }
        }
    }
    return Mask(std::move(allowed));  // (batch, 1, query, key)
}

Mask document_mask(const Ids& documents) { return document_mask(documents, documents); }

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
