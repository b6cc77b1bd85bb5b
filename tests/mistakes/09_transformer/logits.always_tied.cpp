// tests/mistakes/09_transformer/logits.always_tied.cpp · step 9.2 done wrong
// The output's own table is not used.
// The checklist must say: "the table of the embedding is used"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    return linear(hidden, embedding.weight);  // (batch, seq, vocab)
}

}  // namespace tfs
