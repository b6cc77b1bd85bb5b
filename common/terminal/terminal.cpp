// common/terminal/terminal.cpp · what the terminal can show
#include "common/terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

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

void look_at_size(Terminal& terminal) {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        if (size.ws_col > 0) terminal.columns = size.ws_col;
        if (size.ws_row > 0) terminal.rows = size.ws_row;
    }
    const std::string given = environment("COLUMNS");
    if (const long columns = std::strtol(given.c_str(), nullptr, 10); columns > 0 && columns < 10000)
        terminal.columns = static_cast<std::size_t>(columns);
}

}  // namespace

std::size_t colour_code_length(std::string_view text) {
    if (text.starts_with("\x1b[0m")) return 4;
    if (!text.starts_with("\x1b[48;5;") && !text.starts_with("\x1b[38;5;")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789", 7);
    return end > 7 && end < 11 && text[end] == 'm' ? end + 1 : 0;
}

std::string paint(const Terminal& terminal, std::string_view code, const std::string& text) {
    return terminal.colour ? "\x1b[" + std::string(code) + 'm' + text + "\x1b[0m" : text;
}

Terminal this_terminal(bool ascii_flag) {
    const std::string kind = environment("TERM");
    const bool dumb = kind == "dumb";
    Terminal terminal;
    terminal.output_is_terminal = ::isatty(STDOUT_FILENO) == 1;
    terminal.colour =
        terminal.output_is_terminal && environment("NO_COLOR").empty() && !dumb && !kind.empty();
    terminal.ascii = ascii_flag || dumb || locale_excludes_utf8();
    terminal.rewrites = ::isatty(STDERR_FILENO) == 1 && !dumb;
    look_at_size(terminal);
    return terminal;
}

}  // namespace tfs
