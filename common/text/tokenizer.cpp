// common/text/tokenizer.cpp
#include "common/text/tokenizer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/base/errors.hpp"
#include "common/terminal/display.hpp"

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

namespace {

constexpr std::size_t most_listed = 100;  // words that a model knows
constexpr std::size_t most_named = 12;    // of those that it does not know

const char* name_of(Cut cut) { return cut == Cut::words ? "word" : "character"; }

// A to Z in small letters; other letters stay as they are.
std::string in_small_letters(std::string word) {
    for (char& letter : word)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return word;
}

}  // namespace

Tokenizer::Tokenizer(Cut cut, std::vector<std::string> tokens, const SpecialIds& special)
    : cut_(cut), tokens_(std::move(tokens)), special_(special) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const auto id = static_cast<std::int64_t>(i);
        if (id != special_.padding && id != special_.start && id != special_.end)
            numbers_.emplace(tokens_[i], id);
    }
}

std::optional<std::int64_t> Tokenizer::id_of_piece(const std::string& piece) const {
    auto found = numbers_.find(piece);
    if (found == numbers_.end() && cut_ == Cut::words) found = numbers_.find(in_small_letters(piece));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::string Tokenizer::why_unknown(const std::vector<std::string>& pieces) const {
    std::vector<std::string> quoted, known;
    for (const std::string& piece : pieces)
        quoted.push_back(fmt::format("\"{}\"", piece == "\t" ? "\\t" : harmless(piece)));
    if (quoted.size() > most_named) quoted.resize(most_named), quoted.emplace_back("…");
    // Words of a small model; characters are told by the help of the option.
    if (cut_ == Cut::words && numbers_.size() <= most_listed)
        std::copy_if(tokens_.begin(), tokens_.end(), std::back_inserter(known),
                     [&](const std::string& token) { return numbers_.contains(token); });
    return fmt::format("the trained model does not know the {}{} {}{}", name_of(cut_),
                       pieces.size() > 1 ? "s" : "", fmt::join(quoted, ", "),
                       known.empty() ? "" : fmt::format(" (it knows: {})", fmt::join(known, " ")));
}

Ids Tokenizer::encode(std::string_view text, std::size_t most) const {
    return encode(cut_ == Cut::words ? split_words(text) : characters_of(text), most);
}

Ids Tokenizer::encode(const Tokens& pieces, std::size_t most) const {
    if (pieces.empty())
        throw ValueError(fmt::format("the text is empty: it needs at least one {}", name_of(cut_)));
    if (pieces.size() > most)
        throw ValueError(
            fmt::format("the trained model reads 1 to {} {}s, not {}", most, name_of(cut_), pieces.size()));
    Ids ids = Ids::from_shape({1, pieces.size()});
    std::vector<std::string> unknown;
    std::transform(pieces.begin(), pieces.end(), ids.begin(), [&](const std::string& piece) {
        const auto id = id_of_piece(piece);
        if (!id && std::find(unknown.begin(), unknown.end(), piece) == unknown.end())
            unknown.push_back(piece);
        return id.value_or(0);
    });
    if (!unknown.empty()) throw ValueError(why_unknown(unknown));
    return ids;
}

const std::string& Tokenizer::token(std::int64_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= tokens_.size())
        throw ValueError(fmt::format("id {} is none of the model's {} tokens", id, tokens_.size()));
    return tokens_[static_cast<std::size_t>(id)];
}

std::string Tokenizer::decode(std::span<const std::int64_t> ids) const {
    std::string text;
    for (const std::int64_t id : ids) {
        if (cut_ == Cut::words && !text.empty()) text += ' ';
        text += token(id);
    }
    return text;
}

}  // namespace tfs
