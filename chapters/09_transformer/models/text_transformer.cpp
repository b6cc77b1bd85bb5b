// chapters/09_transformer/models/text_transformer.cpp
#include "chapters/09_transformer/models/text_transformer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chapters/01_attention/attention.hpp"
#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "common/base/errors.hpp"
#include "common/io/weights.hpp"

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

Ids recorded_windows(const Tokenizer& tokenizer, std::size_t count) {
    const std::vector<std::string> texts = load_recording(weights_file("characters_recording")).texts;
    Ids ids = Ids::from_shape({count, recorded_text});
    for (std::size_t i = 0; i < count; ++i) {
        const Ids window = tokenizer.encode(texts.at(i));
        std::copy(window.begin(), window.end(), ids.begin() + static_cast<std::ptrdiff_t>(i * recorded_text));
    }
    return ids;
}

TextTransformer::TextTransformer(const Tokenizer& tokens, const ModelConfig& sizes, Rng& rng)
    : config(sizes), tokenizer(tokens), model(transformer_config(tokens, sizes), rng) {}

// --- for looking into it

Reading read_through(const Transformer& model, const Ids& ids, Weights keep) {
    require_one_sequence("read_through", model.config);
    const Stack& stack = std::get<Stack>(model.stack);
    const Tensor x = model.embed(ids);
    const auto padding = padding_of(model.config, ids, {});
    const auto mask = self_attention_mask(stack.kind, x.size(1), padding, {});
    Reading reading{{x}, {}, {}};
    for (const TransformerBlock& block : stack.blocks) {  // as TransformerBlock, half by half
        const AttentionOutput read = block.attention(reading.streams.back(), mask, {.keep_weights = keep});
        reading.halves.push_back(read.output);
        reading.streams.push_back(block.feed_forward(read.output));
        reading.weights.push_back(read.weights);
    }
    return reading;
}

Tensor lens(const Transformer& model, const Tensor& stream) {
    const auto& norm = std::get<Stack>(model.stack).final_norm;
    return model.logits(norm ? (*norm)(stream) : stream);
}

}  // namespace tfs
