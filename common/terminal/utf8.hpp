// common/terminal/utf8.hpp · one UTF-8 character at a time
#pragma once

#include <cstdint>
#include <string_view>

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

}  // namespace tfs
