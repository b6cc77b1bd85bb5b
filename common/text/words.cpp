// common/text/words.cpp · from text to words, from words to ids
#include "common/text/words.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "common/base/errors.hpp"
#include "common/terminal/utf8.hpp"

namespace tfs {

void require_utf8(std::string_view text) {
    for (std::size_t position = 0; position < text.size();) {
        const Utf8Character character = first_character(text.substr(position));
        if (!character.valid) {
            throw ValueError(fmt::format("the text is not valid UTF-8: byte {} is 0x{:02X}", position,
                                         static_cast<unsigned char>(text[position])));
        }
        position += character.bytes;
    }
}

std::vector<std::string> split_words(std::string_view text, std::string_view name) {
    require_utf8(text);
    constexpr std::string_view own_tokens = ".,;:!?()\"";
    std::vector<std::string> tokens;
    bool in_word = false;
    while (!text.empty()) {
        const Utf8Character character = first_character(text);
        const std::string_view bytes = text.substr(0, character.bytes);
        text.remove_prefix(character.bytes);
        if (is_space(character.code)) {
            in_word = false;
        } else if (character.bytes == 1 && own_tokens.find(bytes[0]) != std::string_view::npos) {
            tokens.emplace_back(bytes);
            in_word = false;
        } else if (in_word) {
            tokens.back() += bytes;
        } else {
            tokens.emplace_back(bytes);
            in_word = true;
        }
    }
    if (tokens.empty()) throw ValueError(std::string(name) + " is empty: it needs at least one word");
    return tokens;
}

std::vector<std::string> characters_of(std::string_view text) {
    require_utf8(text);
    std::vector<std::string> characters;
    for (; !text.empty(); text.remove_prefix(characters.back().size()))
        characters.emplace_back(text.substr(0, first_character(text).bytes));
    return characters;
}

Vocabulary build_vocabulary(const std::vector<std::string>& tokens) {
    if (tokens.empty()) throw ValueError("the text is empty: a vocabulary needs at least one token");
    Vocabulary vocabulary;
    vocabulary.ids = Ids::from_shape({1, tokens.size()});
    std::unordered_map<std::string, std::int64_t> id_of;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto next_id = static_cast<std::int64_t>(vocabulary.words.size());
        const auto [entry, is_new] = id_of.emplace(tokens[i], next_id);
        if (is_new) vocabulary.words.push_back(tokens[i]);
        vocabulary.ids.data()[i] = entry->second;
    }
    return vocabulary;
}

}  // namespace tfs
