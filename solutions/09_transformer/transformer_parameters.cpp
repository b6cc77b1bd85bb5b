// Step 9.5 · transformer_parameters · ●●○ · 10 min
// solutions/09_transformer/transformer_parameters.cpp
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/cost.hpp"
#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

TransformerParameters transformer_parameters(const TransformerConfig& config) {
    require_valid("transformer_parameters", config);
    TransformerParameters count;
    // begin: Each part of `count`, from the config. `block_parameters` (chapter 07) counts what is in a block.
    const BlockParameters block = block_parameters(config.block);
    const std::size_t d_model = config.block.d_model, layers = config.num_layers;
    const bool both = config.architecture == Architecture::encoder_decoder;
    const std::size_t final_norms = config.final_norm ? (both ? 2 : 1) : 0;
    count.embedding = config.vocab_size * d_model;
    count.positions = config.block.uses<LearnedPositions>() ? config.max_len() * d_model : 0;
    count.segments = config.num_segments * d_model;
    count.norms = block.norm * (final_norms + (config.embedding_norm ? 1 : 0));
    count.attention = block.attention * layers * (both ? 1 + 2 : 1);  // the decoder's: self and cross
    count.feed_forward = block.feed_forward * layers * (both ? 1 + 1 : 1);
    count.block_norms = block.norm * layers * (both ? 2 + 3 : 2);
    count.pooler = config.pooler ? d_model * d_model + d_model : 0;
    count.output = config.tied_output ? 0 : config.vocab_size * d_model;
    // end
    return count;
}

}  // namespace tfs
