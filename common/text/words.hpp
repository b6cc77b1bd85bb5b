// common/text/words.hpp · from text to words, from words to ids
#pragma once

#include <string>
#include <string_view>
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

}  // namespace tfs
