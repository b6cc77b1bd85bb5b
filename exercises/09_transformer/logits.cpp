// Step 9.2 · logits · ●○○ · 5 min
// exercises/09_transformer/logits.cpp · check yours with ./tutorial check 9.2
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    // TODO 9.2: One dot product for each token: hidden times the transpose of a table (vocab, d_model). The
    // table is that of `embedding`, or that of `output` where the model has one. Nothing is scaled or added.
    throw NotImplemented("9.2 logits");
}

}  // namespace tfs
