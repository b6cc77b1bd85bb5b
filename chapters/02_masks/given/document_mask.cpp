// chapters/02_masks/given/document_mask.cpp · the mask that keeps documents apart, given
#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask document_mask(const Ids& query_documents, const Ids& key_documents) {
    require_sequences("document_mask", query_documents);
    require_sequences("document_mask", key_documents);
    require_same_batch("document_mask", query_documents, key_documents);
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

}  // namespace tfs
