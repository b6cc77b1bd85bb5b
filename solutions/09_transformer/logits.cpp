// Step 9.2 · logits · ●○○ · 5 min
// solutions/09_transformer/logits.cpp
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    // begin: One dot product for each token: hidden times the transpose of a table (vocab, d_model). The
    // table is that of `embedding`, or that of `output` where the model has one. Nothing is scaled or added.
    return linear(hidden, output ? output->weight : embedding.weight);  // (batch, seq, vocab)
    // end
}

}  // namespace tfs
