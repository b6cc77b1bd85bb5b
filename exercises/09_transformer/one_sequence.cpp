// Step 9.3 · one_sequence · ●●○ · 10 min
// exercises/09_transformer/one_sequence.cpp · check yours with ./tutorial check 9.3
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

TransformerOutput Transformer::operator()(const Ids& ids, Rng* rng,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    // TODO 9.3: embed, the stack, logits. The stack is std::get<Encoder>(stack) or std::get<Decoder>(stack),
    // as config.architecture says; hand it `padding_of(config, ids)`, the mask of step padding_mask where the config
    // has a pad_id. Return the logits, what the stack gave (`hidden`), and its weights; there are no
    // cross-weights.
    throw NotImplemented("9.3 one_sequence");
}

}  // namespace tfs
