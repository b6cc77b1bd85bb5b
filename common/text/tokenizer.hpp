// common/text/tokenizer.hpp · from text to words or characters, from these to the ids of a model's tokens, and back
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/base/xtensor.hpp"

namespace tfs {

using Tokens = std::vector<std::string>;

// Throws ValueError, with the position of the first bad byte, where the text is not valid UTF-8.
void require_utf8(std::string_view text);

// Tokens: runs of characters that are not spaces; each of . , ; : ! ? ( ) " is a token of its own.
// Throws ValueError if the text is not valid UTF-8, or holds no token.
Tokens split_words(std::string_view text, std::string_view name = "the text");

// The characters of a text, each as its UTF-8 bytes. Throws ValueError as require_utf8.
Tokens characters_of(std::string_view text);

// The distinct words of a text, numbered in the order of their first occurrence.
struct Vocabulary {
    std::vector<std::string> words;  // words[id]
    Ids ids;                         // (1, seq): the id of each token
};

// Throws ValueError if there is no token.
Vocabulary build_vocabulary(const Tokens& tokens);

// How a text is cut into tokens.
enum class Cut {
    words,       // as split_words does
    characters,  // as characters_of does
};

// Tokens that no text has, where there are some: no text is encoded with them.
struct SpecialIds {
    std::optional<std::int64_t> padding = std::nullopt;  // fills up the shorter texts of a batch
    std::optional<std::int64_t> start = std::nullopt;    // stands before what is written
    std::optional<std::int64_t> end = std::nullopt;      // ends what is written
};

// All tokens that a model knows, and how a text is cut into them.
class Tokenizer {
  public:
    Tokenizer() = default;
    // tokens[id]. Of equal ones the first is meant.
    Tokenizer(Cut cut, std::vector<std::string> tokens, const SpecialIds& special = {});

    [[nodiscard]] std::size_t size() const { return tokens_.size(); }
    [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }
    [[nodiscard]] const SpecialIds& special() const { return special_; }
    [[nodiscard]] Cut cut() const { return cut_; }

    // The ids of a text, (1, seq). A word that is not known as it is written is looked for in small letters.
    // Throws ValueError if the text is empty, is not valid UTF-8, has tokens that are not known (it names them), or has
    // more than `most` tokens.
    [[nodiscard]] Ids encode(std::string_view text, std::size_t most = no_limit) const;
    // The same of a text that is cut already.
    [[nodiscard]] Ids encode(const Tokens& pieces, std::size_t most = no_limit) const;

    // The text of these ids: words with spaces between them, characters without. A special token is written as it is called.
    // ValueError if an id is no token.
    [[nodiscard]] std::string decode(std::span<const std::int64_t> ids) const;
    [[nodiscard]] std::string decode(const Ids& ids) const { return decode({ids.data(), ids.size()}); }
    [[nodiscard]] const std::string& token(std::int64_t id) const;

    static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  private:
    [[nodiscard]] std::optional<std::int64_t> id_of_piece(const std::string& piece) const;
    [[nodiscard]] std::string why_unknown(const std::vector<std::string>& pieces) const;

    Cut cut_ = Cut::words;
    std::vector<std::string> tokens_;
    SpecialIds special_;
    std::unordered_map<std::string, std::int64_t> numbers_;  // of all tokens but the special ones
};

}  // namespace tfs
