// chapters/10_training/given/date_reader.hpp · an encoder-decoder that reads a date, character by character, given
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "chapters/09_transformer/transformer.hpp"
#include "chapters/10_training/given/dates.hpp"

namespace tfs {

// The model of chapter 09. Id 0 is padding, id 1 begins the answer, ids 2 … are the characters.
struct DateReader {
    static constexpr std::size_t source_length = 28, answer_length = 10;  // "Wednesday, 22 September 2021"
    static constexpr std::int64_t pad_id = 0, start_id = 1;

    Transformer model;

    DateReader(std::size_t layers, std::size_t heads, Rng& rng);

    [[nodiscard]] static const std::string& characters();  // of all forms and answers: characters()[id - 2]
    // Texts (batch, source_length), padded. ValueError, which names it, for a character that it doesn't know, and for a text that
    // is empty or too long.
    [[nodiscard]] static Ids sources_of(const std::vector<std::string>& texts);

    // A row of inputs is the padded source, then start_id and the answer but for its last character; targets are the answer,
    // and ignored below the source.
    [[nodiscard]] static Example example_of(const WrittenDate& date);
    // inputs (batch, source_length + answer) -> (batch, source_length + answer, vocab); the scores below the source are 0.
    [[nodiscard]] Tensor logits(const Ids& inputs, Rng* rng = nullptr) const;
    [[nodiscard]] Parameters parameters() const { return model.parameters(); }
};

// What it answers to these texts, greedily and without dropout, and where it looked while it wrote.
struct DateReading {
    std::vector<std::string> answers;
    std::vector<Tensor> cross_weights;  // one for each layer: (batch, heads, answer_length, source_length)
};
[[nodiscard]] DateReading read_dates(const DateReader& reader, const std::vector<std::string>& texts);

// The weights as a safetensors file of 16-bit numbers, layers, heads and `metadata` beside them; and a reader from such a file.
// FileError where it is none.
void save_date_reader(const DateReader& reader, const std::filesystem::path& file,
                      std::map<std::string, std::string> metadata = {});
[[nodiscard]] DateReader load_date_reader(const std::filesystem::path& file);

}  // namespace tfs
