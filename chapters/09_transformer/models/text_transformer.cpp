// chapters/09_transformer/models/text_transformer.cpp · a Transformer with the tokens of its texts
#include "chapters/09_transformer/models/text_transformer.hpp"

#include "chapters/07_block/models/block_config.hpp"

namespace tfs {

TransformerConfig transformer_config(const Tokenizer& tokens, const ModelConfig& sizes) {
    return {.architecture = sizes.two_sequences ? Architecture::encoder_decoder : Architecture::decoder_only,
            .vocab_size = tokens.size(),
            .num_layers = sizes.layers,
            .block = block_config(sizes),
            .scale_embedding = sizes.scaled_embedding,
            .pad_id = tokens.special().padding};
}

TextTransformer::TextTransformer(const Tokenizer& tokens, const ModelConfig& sizes, Rng& rng)
    : config(sizes), tokenizer(tokens), model(transformer_config(tokens, sizes), rng) {}

}  // namespace tfs
