// chapters/08_encoder_decoder/given/date_characters.hpp · the characters of the trained model that reads dates, given
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/rng.hpp"
#include "common/io/metadata.hpp"
#include "common/io/safetensors.hpp"

namespace tfs {

// Id 0 is padding, id 1 begins the answer, ids 2 … are the characters.
constexpr std::int64_t date_pad_id = 0, date_start_id = 1, first_date_character = 2;
constexpr std::size_t date_text_length = 28, date_answer_length = 10;  // "Wednesday, 22 September 2021"

[[nodiscard]] const std::string& date_characters();  // of all forms and answers: date_characters()[id - 2]

// ValueError, which names it, for a character that the model doesn't know.
[[nodiscard]] std::vector<std::int64_t> date_ids(const std::string& text);
// The same of a text to be read: ValueError if it is empty or too long, too.
[[nodiscard]] std::vector<std::int64_t> date_text_ids(const std::string& text);

// The character of an id, "?" where it is none.
[[nodiscard]] char date_character(std::int64_t id);

constexpr std::size_t date_width = 64;  // d_model

// A model of (layers, heads, rng) with the weights that chapter 10 wrote to this file. FileError if it is none.
template <class DateModel>
DateModel load_date_model(const std::filesystem::path& file) {
    const WeightFile loaded = load_weight_file(file);
    const MetadataReader entries(loaded, file, "not the weights of a date reader");
    const std::size_t layers = entries.count("layers", 1, 99), heads = entries.count("heads", 1, 99);
    if (date_width % heads != 0) entries.refuse(fmt::format(": {} heads don't divide {}", heads, date_width));
    Rng none = Rng::zeros();
    DateModel model(layers, heads, none);
    copy_tensors_into(model.parameters(), loaded.tensors, file);
    return model;
}

}  // namespace tfs
