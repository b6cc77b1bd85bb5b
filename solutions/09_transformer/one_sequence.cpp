// Step 9.2 · one_sequence · ●●○ · 15 min
// solutions/09_transformer/one_sequence.cpp
#include <variant>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    // begin: A logit for each token at each position.
    return linear(hidden, output ? output->weight : embedding.weight);  // (batch, seq, vocab)
    // end
}

TransformerOutput Transformer::operator()(const Ids& ids, const Pass& pass,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    // begin: From ids to logits. The result also holds what the stack gave, and its weights. `padding_of(config, ids, pass)`
    // is the padding mask.
    const Tensor x = embed(ids, pass, segment_ids);  // (batch, seq, d_model)
    const StackOutput run = std::get<Stack>(stack)(x, padding_of(config, ids, pass), pass);
    return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
    // end
}

}  // namespace tfs
