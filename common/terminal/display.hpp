// common/terminal/display.hpp · UTF-8 text on the screen: its characters and their width; padding, cutting, wrapping
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfs {

struct Utf8Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;  // how many it takes; 1 where it is not valid
    bool valid = false;
};

// The first character of a text that is not empty. Not valid: overlong forms, surrogates, beyond U+10FFFF,
// cut short.
Utf8Character first_character(std::string_view utf8);

// 0, 1 or 2 columns on a terminal.
std::size_t character_width(std::uint32_t code);

bool is_space(std::uint32_t code);

// What a terminal obeys instead of showing it: control characters (U+0000 to U+001F, U+007F to U+009F), line and paragraph
// separators, and those that turn the direction of the text.
bool is_control(std::uint32_t code);

constexpr std::size_t screen_columns = 110;  // what programs print is never wider

// The columns that a text takes on a terminal: 2 for Hangul, CJK, fullwidth forms and emoji, 0 for combining
// marks, control characters and colour codes, 1 for the rest. A byte that is not UTF-8 counts 1.
std::size_t display_width(std::string_view utf8);

enum class Align { left, right };

// Fills up with spaces to `width` columns; a wider text is returned as it is.
std::string pad(std::string_view utf8, std::size_t width, Align align = Align::left);

// Cuts to at most `width` columns, ending in `ellipsis`, behind no space, where something was cut. Never cuts a character in
// two.
std::string truncate(std::string_view utf8, std::size_t width, std::string_view ellipsis = "…");

// A wider text is broken at spaces into lines of at most `width` columns (a longer word keeps a line of its own). The first
// line keeps its indentation, and the others are indented by `margin`.
std::vector<std::string> wrap(std::string_view utf8, std::size_t width, std::size_t margin = 0);

// A line of text of which nothing moves the cursor, changes colours or turns the direction: control characters (is_control)
// and bytes that are not UTF-8 are written as \x1b, a tab as four spaces. All text that comes from outside is shown by it:
// words, names in files, names of files.
std::string harmless(std::string_view line);

// A token as a label: ␣ is a space, ¶ the end of a line, and all else is made harmless.
std::string visible(std::string_view token);

// A text in one line, with ¶ for the ends of its lines; harmless.
std::string with_pilcrows(std::string_view text);

bool is_ascii(std::string_view text);

// For terminals without UTF-8: dots, dashes, the signs of formulas and those of visible() by something similar, all else by as many "?" as it
// is columns wide.
std::string to_ascii(std::string_view utf8);

}  // namespace tfs
