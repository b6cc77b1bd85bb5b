// Step 2.6 · document_mask · ●●○ · 15 min
// exercises/02_masks/document_mask.cpp · check yours with ./tutorial check 2.6
#include <utility>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask document_mask(const Ids& query_documents, const Ids& key_documents) {
    require_sequences("document_mask", query_documents);
    require_sequences("document_mask", key_documents);
    require_same_batch("document_mask", query_documents, key_documents);
    // TODO 2.6: The mask (batch, 1, query, key) that keeps documents apart.
    throw NotImplemented("2.6 document_mask");
}

Mask document_mask(const Ids& documents) { return document_mask(documents, documents); }

}  // namespace tfs
