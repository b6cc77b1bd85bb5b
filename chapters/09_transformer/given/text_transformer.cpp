// chapters/09_transformer/given/text_transformer.cpp · a Transformer with the tokens of its texts, given
#include "chapters/09_transformer/given/text_transformer.hpp"

#include <algorithm>

#include "chapters/07_block/given/block_config.hpp"

namespace tfs {

TransformerConfig transformer_config(const Tokenizer& tokens, const ModelConfig& sizes) {
    return {.architecture = sizes.two_sequences ? Architecture::encoder_decoder : Architecture::decoder_only,
            .vocab_size = tokens.size(),
            .num_layers = sizes.layers,
            .block = block_config(sizes),
            .scale_embedding = sizes.scaled_embedding,
            .pad_id = tokens.special().padding};
}

Ids last_ids(std::span<const std::int64_t> ids, std::size_t most) {
    const std::span<const std::int64_t> end = ids.last(std::min(ids.size(), most));
    Ids last = Ids::from_shape({1, end.size()});
    std::copy(end.begin(), end.end(), last.begin());
    return last;
}

TextTransformer::TextTransformer(const Tokenizer& tokens, const ModelConfig& sizes, Rng& rng)
    : config(sizes), tokenizer(tokens), model(transformer_config(tokens, sizes), rng) {}

}  // namespace tfs
