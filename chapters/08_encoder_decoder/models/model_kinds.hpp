// chapters/08_encoder_decoder/models/model_kinds.hpp · two kinds of weight files, a model that writes and one that reads dates; the network of the second
//
// Chapter 09 says how tokens get in and out, and lets such models write. Here we look at the maps of the second.
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "common/io/trained_model.hpp"

namespace tfs {

// A decoder that guesses the next character, such as weights/characters.safetensors. Its positions are learned, or
// rotary where the file says so.
[[nodiscard]] const ModelKind& character_kind();

// An encoder-decoder that reads "Wed 8th of Apr. 1998", character by character, and writes "1998-04-08", such as
// weights/dates.safetensors. The file says neither its characters nor its width: all of this kind have the same.
[[nodiscard]] const ModelKind& date_kind();
constexpr std::int64_t date_padding = 0, date_start = 1;  // ids
constexpr std::size_t date_answer_length = 10;

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
