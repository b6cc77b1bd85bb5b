// tests/mistakes/09_transformer/logits.table_detached.cpp · step 9.2 done wrong
// No gradient from the output.
// The checklist must say: "the table received no gradient"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    return linear(hidden, (output ? output->weight : embedding.weight).detach());  // (batch, seq, vocab)
}

}  // namespace tfs
