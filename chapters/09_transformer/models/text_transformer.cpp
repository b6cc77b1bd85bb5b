// chapters/09_transformer/models/text_transformer.cpp · a Transformer with the tokens of its texts
#include "chapters/09_transformer/models/text_transformer.hpp"

#include <fmt/format.h>

#include "chapters/07_block/models/block_config.hpp"
#include "common/base/errors.hpp"

namespace tfs {

TransformerConfig transformer_config(const Tokenizer& tokens, const ModelConfig& sizes) {
    return {.architecture = sizes.two_sequences ? Architecture::encoder_decoder : Architecture::decoder_only,
            .vocab_size = tokens.size(),
            .num_layers = sizes.layers,
            .block = block_config(sizes),
            .scale_embedding = sizes.scaled_embedding,
            .pad_id = tokens.special().padding};
}

Ids ids_of(const TextTransformer& trained, const std::string& flag, const std::string& text) {
    try {
        return trained.tokenizer.encode(text, trained.config.max_len);
    } catch (const ValueError& error) {
        throw ValueError(fmt::format("{}: {}", flag, error.what()));
    }
}

TextTransformer::TextTransformer(const Tokenizer& tokens, const ModelConfig& sizes, Rng& rng)
    : config(sizes), tokenizer(tokens), model(transformer_config(tokens, sizes), rng) {}

}  // namespace tfs
