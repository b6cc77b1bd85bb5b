// Step 9.1 · rows_and_logits · ●○○ · 10 min
// solutions/09_transformer/rows_and_logits.cpp
#include "chapters/07_block/block.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/whole_model.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

Tensor Gpt::rows(const Ids& ids) const {
    require_ids("rows", config, ids);
    // begin: The rows of the ids in the table "embedding.weight"; and, where the config has learned positions, those of the
    // positions 0, 1, … in "positions.embedding.weight".
    const Tensor tokens = embedding(weight("embedding.weight"), ids);  // (batch, seq, d_model)
    if (!config.block.uses<LearnedPositions>()) return tokens;
    return tokens + slice(weight("positions.embedding.weight"), 0, 0, ids.shape()[1]);
    // end
}

Tensor Gpt::logits(const Tensor& x) const {
    require_hidden("logits", config, x);
    // begin: The final norm, then the product with each row of the table: (batch, seq, vocab).
    return matmul(norm("final_norm", x), weight("embedding.weight"), Transpose::b);  // (batch, seq, vocab)
    // end
}

}  // namespace tfs
