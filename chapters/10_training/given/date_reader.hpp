// chapters/10_training/given/date_reader.hpp · an encoder-decoder that reads a date, character by character, given
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "chapters/08_encoder_decoder/given/date_characters.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "chapters/10_training/given/dates.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

// The model of chapter 09, with the characters of chapter 08's trained_dates.hpp, which loads the same weights.
struct DateReader {
    static constexpr std::size_t source_length = date_text_length, answer_length = date_answer_length;
    static constexpr std::int64_t pad_id = date_pad_id, start_id = date_start_id;

    Transformer model;

    DateReader(std::size_t layers, std::size_t heads, Rng& rng);

    // Texts (batch, source_length), padded. ValueError, which names it, for a character that it doesn't know, and for a text that
    // is empty or too long.
    [[nodiscard]] static Ids sources_of(const std::vector<std::string>& texts);

    // The source is the text, the input start_id and the answer but for its last character; the targets are the answer.
    [[nodiscard]] static Example example_of(const WrittenDate& date);
    [[nodiscard]] Tensor logits(const Batch& batch, Rng* rng = nullptr) const;  // (batch, answer, vocab)
    [[nodiscard]] Parameters parameters() const { return model.parameters(); }
};

// What it answers to these texts, greedily and without dropout, and where it looked while it wrote.
struct DateReading {
    std::vector<std::string> answers;
    std::vector<Tensor> cross_weights;  // one for each layer: (batch, heads, answer_length, source_length)
};
[[nodiscard]] DateReading read_dates(const DateReader& reader, const std::vector<std::string>& texts);

// The weights as a safetensors file of 16-bit numbers, layers, heads and `metadata` beside them; and a reader from such a file.
// FileError if it is none.
void save_date_reader(const DateReader& reader, const std::filesystem::path& file,
                      std::map<std::string, std::string> metadata = {});
[[nodiscard]] DateReader load_date_reader(const std::filesystem::path& file);

}  // namespace tfs
