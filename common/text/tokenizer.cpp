// common/text/tokenizer.cpp · from text to the ids of a model's tokens, and back
#include "common/text/tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr std::size_t most_listed = 100;  // words

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

std::int64_t Tokenizer::id_of_piece(const std::string& piece) const {
    auto found = numbers_.find(piece);
    if (found == numbers_.end() && cut_ == Cut::words) found = numbers_.find(in_small_letters(piece));
    if (found != numbers_.end()) return found->second;
    std::string known;  // words of a small model; characters are told by the help of the option
    if (cut_ == Cut::words && numbers_.size() <= most_listed)
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            if (numbers_.contains(tokens_[i])) known += (known.empty() ? " (it knows: " : " ") + tokens_[i];
    throw ValueError(fmt::format("the trained model does not know the {} \"{}\"{}", name_of(cut_),
                                 piece == "\t" ? "\\t" : harmless(piece),
                                 known + (known.empty() ? "" : ")")));
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
    std::transform(pieces.begin(), pieces.end(), ids.begin(),
                   [&](const std::string& piece) { return id_of_piece(piece); });
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
