// chapters/08_encoder_decoder/models/date_translator.hpp · a network of this chapter for weights that chapter 10 trained
//
// Chapter 09 says how tokens get in and out, and lets such a model write. Here we look at its maps.
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/models/model_kinds.hpp"

namespace tfs {

// An encoder-decoder that writes a date anew. Of date_kind.
struct DateTranslator {
    ModelConfig config;
    Tokenizer tokenizer;
    Embedding embedding;  // (tokens, d_model), of text and answer; the rows are scaled by sqrt(d_model)
    SinusoidalPositionalEncoding positions;
    EncoderDecoder model;

    DateTranslator(const Tokenizer& tokens, const ModelConfig& sizes, Rng& rng);
    [[nodiscard]] Tensor embed(const Ids& ids) const;  // (batch, seq) -> (batch, seq, d_model)
    [[nodiscard]] Parameters parameters()
        const;  // embedding.weight, encoder.blocks.0.…, decoder.final_norm.beta
};
// Where it looks while it writes this answer to a text: row i of the maps is the position that writes character i. The decoder
// runs once; for the answer that it would write itself, the maps are those of its last step. ValueError for a character that it
// doesn't know, and for texts that are empty or too long.
[[nodiscard]] CrossStackOutput date_maps(const DateTranslator& dates, const std::string& text,
                                         const std::string& answer);

}  // namespace tfs
