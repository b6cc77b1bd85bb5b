// Step 9.2 · one_sequence · ●●○ · 15 min
// solutions/09_transformer/one_sequence.cpp
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    // begin: One dot product for each token: hidden times the transpose of a table (vocab, d_model), by `linear`. The
    // table is that of `embedding`, or that of `output` where the model has one. Nothing is scaled or added.
    return linear(hidden, output ? output->weight : embedding.weight);  // (batch, seq, vocab)
    // end
}

TransformerOutput Transformer::operator()(const Ids& ids, const Pass& pass,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    // begin: embed, the stack, logits. The stack is std::get<Stack>(stack). It takes x, the padding and the pass;
    // `padding_of(config, ids, pass)` is the padding, where the config has a pad_id. Return the logits, what the stack gave
    // (`hidden`), and its weights; there are no cross-weights.
    const Tensor x = embed(ids, pass, segment_ids);  // (batch, seq, d_model)
    const StackOutput run = std::get<Stack>(stack)(x, padding_of(config, ids, pass), pass);
    return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
    // end
}

}  // namespace tfs
