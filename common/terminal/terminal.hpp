// common/terminal/terminal.hpp · what the terminal can show
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfs {

struct Terminal {
    bool colour = false;                      // standard output knows ANSI colours (256 of them)
    bool ascii = false;                       // nothing but ASCII
    bool rewrites = false;                    // a line on standard error may be overwritten
    bool output_is_terminal = false;          // standard output is a terminal, of whatever kind
    std::optional<std::size_t> columns = {};  // known on a terminal, or from COLUMNS, which counts more
    std::optional<std::size_t> rows = {};     // known on a terminal
};

// Colour only where standard output is a terminal that knows colours and NO_COLOR (no-color.org) is not set;
// ASCII where the flag asks for it, TERM is "dumb", or the locale is named and is not UTF-8.
Terminal this_terminal(bool ascii_flag = false);

// The text in the colour with this number: 31 is red, 32 green, 33 yellow, 1 bold.
std::string paint(const Terminal& terminal, std::string_view code, const std::string& text);

// The length of a colour code of print_map at the front of a text; 0 where there is none.
std::size_t colour_code_length(std::string_view text);

}  // namespace tfs
