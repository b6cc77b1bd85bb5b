// common/show/terminal.cpp · what the terminal can show
#include "common/show/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace tfs {
namespace {

// An environment variable; empty where it is not set.
std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// The first of these that is set decides on the characters (POSIX). None, as in a container or in CI: UTF-8
// is the rule today.
bool locale_excludes_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        std::string locale = environment(name);
        if (locale.empty()) continue;
        std::transform(locale.begin(), locale.end(), locale.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        return locale.find("utf-8") == std::string::npos && locale.find("utf8") == std::string::npos;
    }
    return false;
}

}  // namespace

std::size_t colour_code_length(std::string_view text) {
    if (text.starts_with("\x1b[0m")) return 4;
    if (!text.starts_with("\x1b[48;5;") && !text.starts_with("\x1b[38;5;")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789", 7);
    return end > 7 && end < 11 && text[end] == 'm' ? end + 1 : 0;
}

TerminalStyle terminal_style(bool ascii_flag) {
    const std::string terminal = environment("TERM");
    const bool dumb = terminal == "dumb";
    TerminalStyle style;
    style.colour =
        isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").empty() && !dumb && !terminal.empty();
    style.ascii = ascii_flag || dumb || locale_excludes_utf8();
    return style;
}

}  // namespace tfs
