// common/show/text.hpp · UTF-8 text: its width on the screen, padding, and splitting into words
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/xtensor.hpp"

namespace tfs {

using Tokens = std::vector<std::string>;

constexpr std::size_t screen_columns = 110;  // what programs print is never wider

// The columns that a text takes on a terminal: 2 for Hangul, CJK, fullwidth forms and emoji, 0 for combining
// marks and control characters, 1 for the rest. A byte that is not UTF-8 counts 1.
std::size_t display_width(std::string_view utf8);

enum class Align { left, right };

// Fills up with spaces to `width` columns; a wider text is returned as it is.
std::string pad(std::string_view utf8, std::size_t width, Align align = Align::left);

// Cuts to at most `width` columns, ending in `ellipsis` where something was cut. Never cuts a character in
// two.
std::string truncate(std::string_view utf8, std::size_t width, std::string_view ellipsis = "…");

// Breaks at spaces into lines of at most `width` columns (a longer word keeps a line of its own).
std::vector<std::string> wrap(std::string_view utf8, std::size_t width);

bool is_ascii(std::string_view text);

// For terminals without UTF-8: dots, dashes and the signs of formulas by something similar, all else by "?".
std::string to_ascii(std::string_view utf8);

// "(batch 1, query 10, key 10)"; a scalar is "()". Throws ShapeError where there is not one name for each axis.
std::string named_shape(const Shape& shape, const std::vector<std::string>& axes);

// Throws ValueError, with the position of the first bad byte, where the text is not valid UTF-8.
void require_utf8(std::string_view text);

// Tokens: runs of characters that are not spaces; each of . , ; : ! ? ( ) " is a token of its own.
// Throws ValueError where the text is not valid UTF-8, or holds no token.
Tokens split_words(std::string_view text, std::string_view name = "the text");

// The distinct words of a text, numbered in the order of their first occurrence.
struct Vocabulary {
    std::vector<std::string> words;  // words[id]
    Ids ids;                         // (1, seq): the id of each token
};

// Throws ValueError where there is no token.
Vocabulary build_vocabulary(const Tokens& tokens);

}  // namespace tfs
