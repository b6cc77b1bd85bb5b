// chapters/08_encoder_decoder/given/date_characters.cpp · the characters of the trained model that reads dates, given
#include "chapters/08_encoder_decoder/given/date_characters.hpp"

#include <fmt/format.h>

#include "common/base/errors.hpp"
#include "common/text/display.hpp"

namespace tfs {

const std::string& date_characters() {
    static const std::string all = " '-,./0123456789ADFJMNOSTWabcdefghilmnoprstuvy";
    return all;
}

std::vector<std::int64_t> date_ids(const std::string& text) {
    std::vector<std::int64_t> ids;
    for (const char character : text) {
        const std::size_t found = date_characters().find(character);
        if (found == std::string::npos)
            throw ValueError(fmt::format("the trained model does not know the character \"{}\" of \"{}\"",
                                         harmless(std::string(1, character)), harmless(text)));
        ids.push_back(static_cast<std::int64_t>(found) + first_date_character);
    }
    return ids;
}

std::vector<std::int64_t> date_text_ids(const std::string& text) {
    if (text.empty() || text.size() > date_text_length)
        throw ValueError(fmt::format("a date has 1 to {} characters, \"{}\" has {}", date_text_length,
                                     harmless(text), text.size()));
    return date_ids(text);
}

char date_character(std::int64_t id) {
    return id < first_date_character ? '?'
                                     : date_characters()[static_cast<std::size_t>(id - first_date_character)];
}

}  // namespace tfs
