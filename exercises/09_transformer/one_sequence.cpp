// Step 9.2 · one_sequence · ●●○ · 15 min
// exercises/09_transformer/one_sequence.cpp · check yours with ./tutorial check 9.2
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    // TODO 9.2: One dot product for each token: hidden times the transpose of a table (vocab, d_model), by `linear`. The
    // table is that of `embedding`, or that of `output` where the model has one. Nothing is scaled or added.
    throw NotImplemented("9.2 one_sequence");
}

TransformerOutput Transformer::operator()(const Ids& ids, const Pass& pass,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    // TODO 9.2: embed, the stack, logits. The stack is std::get<Stack>(stack). It takes x, the padding and the pass;
    // `padding_of(config, ids, pass)` is the padding, where the config has a pad_id. Return the logits, what the stack gave
    // (`hidden`), and its weights; there are no cross-weights.
    throw NotImplemented("9.2 one_sequence");
}

}  // namespace tfs
