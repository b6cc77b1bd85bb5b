// chapters/09_transformer/models/text_transformer.hpp · a Transformer with the tokens of its texts
#pragma once

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// A model of this chapter that reads and writes text: a decoder of GPT-2's kind, or an encoder-decoder. Chapter 10 trains one of
// each (character_kind and date_kind of chapter 08); this chapter lets the first one write.
//     const auto writer = load_network<TextTransformer>(weights_file("characters"), character_kind());
struct TextTransformer {
    ModelConfig config;
    Tokenizer tokenizer;
    Transformer model;

    TextTransformer(const Tokenizer& tokens, const ModelConfig& sizes, Rng& rng);
    [[nodiscard]] Parameters parameters() const { return model.parameters(); }
};

// The ids of a text, (1, seq). ValueError, which begins with `flag`, where the model can't read it.
[[nodiscard]] Ids ids_of(const TextTransformer& trained, const std::string& flag, const std::string& text);

// The beginning of what chapter 10 recorded of the decoder of characters (common/io/weights.hpp): ids (count, 30).
[[nodiscard]] Ids recorded_windows(const Tokenizer& tokenizer, std::size_t count);

// The choices of such a model in the words of this chapter.
[[nodiscard]] TransformerConfig transformer_config(const Tokenizer& tokens, const ModelConfig& sizes);

}  // namespace tfs
