// chapters/08_encoder_decoder/given/characters.cpp · the characters of the trained model that writes, given
#include "chapters/08_encoder_decoder/given/characters.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "common/text/display.hpp"
#include "common/text/utf8.hpp"

namespace tfs {

std::vector<std::string> characters_of(const std::string& text) {
    require_utf8(text);
    std::vector<std::string> characters;
    for (std::size_t at = 0; at < text.size(); at += characters.back().size())
        characters.push_back(text.substr(at, first_character(std::string_view(text).substr(at)).bytes));
    return characters;
}

Ids character_ids(const std::vector<std::string>& characters, const std::string& text) {
    const std::vector<std::string> letters = characters_of(text);
    Ids ids = Ids::from_shape({1, letters.size()});
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const std::optional<std::int64_t> id = id_of(characters, letters[i]);
        if (!id)
            throw ValueError(
                fmt::format("the trained model does not know the character \"{}\"", harmless(letters[i])));
        ids(0, i) = *id;
    }
    return ids;
}

}  // namespace tfs
