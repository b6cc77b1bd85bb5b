// Step 9.1 · rows_and_logits · ●○○ · 10 min
// exercises/09_transformer/rows_and_logits.cpp · check yours with ./tutorial check 9.1
#include "chapters/07_block/block.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/whole_model.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

Tensor Gpt::rows(const Ids& ids) const {
    require_ids("rows", config, ids);
    // TODO 9.1: The rows of the ids in the table "embedding.weight"; and, where the config has learned positions, those of the
    // positions 0, 1, … in "positions.embedding.weight".
    throw NotImplemented("9.1 rows_and_logits");
}

Tensor Gpt::logits(const Tensor& x) const {
    require_hidden("logits", config, x);
    // TODO 9.1: The final norm, then the product with each row of the table: (batch, seq, vocab).
    throw NotImplemented("9.1 rows_and_logits");
}

}  // namespace tfs
