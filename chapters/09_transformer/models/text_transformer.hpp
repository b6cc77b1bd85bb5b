// chapters/09_transformer/models/text_transformer.hpp · a Transformer with the tokens of its texts; what it computes on its way through one
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

// --- for looking into it

// Texts on their way through the blocks of a model of one sequence.
struct Reading {
    // (batch, seq, d_model): what enters the first block, and what leaves each one; and between the two halves of each.
    std::vector<Tensor> streams, halves;
    // (batch, heads, query, key), one for each block; without entries where they are not kept.
    std::vector<Tensor> weights;
};
// ids (batch, seq). Throws as the model; ValueError if the model is an encoder-decoder.
[[nodiscard]] Reading read_through(const Transformer& model, const Ids& ids, Weights keep = Weights::keep);

// What the model would guess if the blocks behind this stream were left out: its final norm and its logits at once (the "logit
// lens" of nostalgebraist, 2020). stream (batch, seq, d_model) -> (batch, seq, vocab)
[[nodiscard]] Tensor lens(const Transformer& model, const Tensor& stream);

}  // namespace tfs
