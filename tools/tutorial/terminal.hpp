// tools/tutorial/terminal.hpp · what the learner's terminal can show
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfs::tutorial {

struct Terminal {
    bool colour = false;                 // standard output may be coloured
    bool rewrites = false;               // a line on standard error may be overwritten
    bool output_is_terminal = false;     // standard output is a terminal, of whatever kind
    std::optional<std::size_t> columns;  // known on a terminal, or from COLUMNS
};

// COLUMNS counts more than the terminal's own size. NO_COLOR and TERM=dumb turn colour off.
Terminal this_terminal();

// The text in the colour with this number: 31 is red, 32 green, 33 yellow, 1 bold.
std::string paint(const Terminal& terminal, const char* code, const std::string& text);

// How many columns the UTF-8 text takes. What only changes its colour takes none.
std::size_t width_of(std::string_view text);
// The text, cut to this width with "…" at its end if it is wider.
std::string shortened(std::string_view text, std::size_t width);
// The text, filled up with spaces to this width.
std::string padded(std::string_view text, std::size_t width);

// Prints a sentence to standard output. Where the terminal is narrower, it is wrapped at words, and the following lines
// are indented by `margin`.
void say(const Terminal& terminal, const std::string& sentence, std::size_t margin = 6);

}  // namespace tfs::tutorial
