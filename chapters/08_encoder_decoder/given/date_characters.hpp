// chapters/08_encoder_decoder/given/date_characters.hpp · the characters of the trained model that reads dates, given
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tfs {

// Id 0 is padding, id 1 begins the answer, ids 2 … are the characters.
constexpr std::int64_t date_pad_id = 0, date_start_id = 1, first_date_character = 2;
constexpr std::size_t date_text_length = 28, date_answer_length = 10;  // "Wednesday, 22 September 2021"

[[nodiscard]] const std::string& date_characters();  // of all forms and answers: date_characters()[id - 2]

// ValueError, which names it, for a character that the model doesn't know.
[[nodiscard]] std::vector<std::int64_t> date_ids(const std::string& text);
// The same of a text to be read: ValueError where it is empty or too long, too.
[[nodiscard]] std::vector<std::int64_t> date_text_ids(const std::string& text);

// The character of an id, "?" where it is none.
[[nodiscard]] char date_character(std::int64_t id);

}  // namespace tfs
