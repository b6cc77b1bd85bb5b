// common/show/terminal.hpp · what the terminal can show
#pragma once

#include <cstddef>
#include <string_view>

namespace tfs {

struct TerminalStyle {
    bool colour = false;  // ANSI colours (256 of them)
    bool ascii = false;   // nothing but ASCII
};

// Colour only where standard output is a terminal that knows colours and NO_COLOR (no-color.org) is not set;
// ASCII where the flag asks for it, TERM is "dumb", or the locale is named and is not UTF-8.
TerminalStyle terminal_style(bool ascii_flag);

// The length of a colour code of print_heat_map at the front of a text; 0 where there is none.
std::size_t colour_code_length(std::string_view text);

}  // namespace tfs
