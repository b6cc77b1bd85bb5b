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
