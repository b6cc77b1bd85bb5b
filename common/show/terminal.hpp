// common/show/terminal.hpp · what the terminal can show
#pragma once

namespace tfs {

struct TerminalStyle {
    bool colour = false;  // ANSI colours (256 of them)
    bool ascii = false;   // nothing but ASCII
};

// Colour only where standard output is a terminal that knows colours and NO_COLOR (no-color.org) is not set;
// ASCII where the flag asks for it, TERM is "dumb", or the locale is named and is not UTF-8.
TerminalStyle terminal_style(bool ascii_flag);

}  // namespace tfs
