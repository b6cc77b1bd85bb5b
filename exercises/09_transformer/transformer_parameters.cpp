// Step 9.4 · transformer_parameters · ●●● · 20 min
// exercises/09_transformer/transformer_parameters.cpp · check yours with ./tutorial check 9.4
#include "chapters/09_transformer/cost.hpp"

namespace tfs {

TransformerParameters transformer_parameters(const TransformerConfig& config) {
    require_valid("transformer_parameters", config);
    TransformerParameters count;
    // TODO 9.4: Fill in each part of `count`; `block_parameters(config.block)` (step block_parameters) gives attention,
    // feed_forward and ONE norm of a block. An encoder-decoder has num_layers blocks on each side: two
    // sublayers and two norms in a block of the encoder, three of each in one of the decoder, and a final
    // norm on both sides.
    throw NotImplemented("9.4 transformer_parameters");
    return count;
}

}  // namespace tfs
