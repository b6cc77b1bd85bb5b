// tests/mistakes/09_transformer/logits.scaled.cpp · step 9.2 done wrong
// Times sqrt(d_model).
// The checklist must say: "the logits are scaled by sqrt(d_model) as well"
#include <cmath>

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    const Tensor scores = linear(hidden, output ? output->weight : embedding.weight);
    return config.scale_embedding ? scores * std::sqrt(static_cast<float>(config.block.d_model)) : scores;
}

}  // namespace tfs
