// chapters/07_block/program/sentence_blocks.cpp · the sentence, and the untrained blocks that it goes through
#include "chapters/07_block/program/sentence_blocks.hpp"

#include <algorithm>

namespace tfs {

Sentence embed_sentence(Show& show) {
    Rng rng(show.options.seed);
    const Tensor words = show_sentence(show, rng).detach();
    const Embedding places(show.tokens.size(), show.options.d_model, rng);
    return {words, (words + places.weight * 0.3f).detach()};
}

BlockConfig sentence_config(const Show& show, NormPosition position) {
    const std::size_t d_model = show.options.d_model;
    return {
        .d_model = d_model, .num_heads = show.options.heads, .d_ff = 4 * d_model, .norm_position = position};
}

BlockConfig llama_sentence_config(const Show& show) {
    const std::size_t d_model = show.options.d_model;
    return llama_block(d_model, show.options.heads, swiglu_hidden_size(4 * d_model, 8),
                       std::max<std::size_t>(show.tokens.size(), 16));
}

TransformerBlock sentence_block(const Show& show, const BlockConfig& config) {
    Rng rng(show.options.seed + 1);
    return TransformerBlock(config, rng);
}

}  // namespace tfs
