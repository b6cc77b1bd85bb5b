// Step 9.2 · one_sequence · ●●○ · 15 min
// exercises/09_transformer/one_sequence.cpp · check yours with ./tutorial check 9.2
#include <variant>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::logits(const Tensor& hidden) const {
    // TODO 9.2: A logit for each token at each position.
    throw NotImplemented("9.2 one_sequence");
}

TransformerOutput Transformer::operator()(const Ids& ids, const Pass& pass,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    // TODO 9.2: From ids to logits. The result also holds what the stack gave, and its weights. `padding_of(config, ids, pass)`
    // is the padding mask.
    throw NotImplemented("9.2 one_sequence");
}

}  // namespace tfs
