// chapters/08_encoder_decoder/given/trained_dates.hpp · an encoder-decoder of this chapter that chapter 10 trained to read dates, given
#pragma once

#include <filesystem>
#include <string>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

// It reads "Wed 8th of Apr. 1998", character by character, and writes "1998-04-08". Chapter 09 says how characters get in
// and out: by one table, whose rows are scaled by sqrt(d_model), and whose products with the output are the scores.
struct TrainedDates {
    Embedding embedding;  // (2 + characters, d_model), of text and answer
    SinusoidalPositionalEncoding positions;
    EncoderDecoder model;

    TrainedDates(std::size_t layers, std::size_t heads, Rng& rng);

    // ids (batch, seq) -> (batch, seq, d_model)
    [[nodiscard]] Tensor embed(const Ids& ids) const;
    [[nodiscard]] Parameters parameters()
        const;  // embedding.weight, encoder.blocks.0.…, decoder.final_norm.beta
};

// From a file that chapter 10 wrote. FileError if it is none.
[[nodiscard]] TrainedDates load_trained_dates(const std::filesystem::path& file);

// What it writes for a text, one most probable character after the other, and where it looked. Row i of the maps is the
// position that writes character i of the answer. ValueError, which names it, for a character that it doesn't know, and for
// a text that is empty or too long.
struct DateAnswer {
    std::string answer;
    CrossStackOutput maps;
};
[[nodiscard]] DateAnswer read_date(const TrainedDates& dates, const std::string& text);

}  // namespace tfs
