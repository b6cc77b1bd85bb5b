// tools/tutorial/terminal.cpp · what the learner's terminal can show
#include "tools/tutorial/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "tools/steps/text.hpp"

namespace tfs::tutorial {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::optional<std::size_t> known_columns() {
    const std::string given = environment("COLUMNS");
    if (const long columns = std::strtol(given.c_str(), nullptr, 10); columns > 0 && columns < 10000)
        return static_cast<std::size_t>(columns);
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return {};
}

// Bytes 10xxxxxx continue a character.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

Terminal this_terminal() {
    const bool dumb = environment("TERM") == "dumb";
    Terminal terminal;
    terminal.output_is_terminal = ::isatty(STDOUT_FILENO) != 0;
    terminal.colour = terminal.output_is_terminal && !dumb && environment("NO_COLOR").empty();
    terminal.rewrites = ::isatty(STDERR_FILENO) != 0 && !dumb;
    terminal.columns = known_columns();
    return terminal;
}

std::string paint(const Terminal& terminal, const char* code, const std::string& text) {
    return terminal.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::size_t width_of(std::string_view text) {
    std::size_t width = 0;
    bool in_code = false;
    for (const char byte : text) {
        in_code = in_code || byte == '\x1b';
        width += !in_code && begins_character(byte) ? 1 : 0;
        in_code = in_code && byte != 'm';
    }
    return width;
}

std::string shortened(std::string_view text, std::size_t width) {
    if (width_of(text) <= width) return std::string(text);
    if (width == 0) return "";
    std::size_t end = 0, characters = 0;
    while (end < text.size() && (characters += begins_character(text[end]) ? 1 : 0) < width) ++end;
    return std::string(steps::trimmed(text.substr(0, end))) + "…";
}

std::string padded(std::string_view text, std::size_t width) {
    const std::size_t own = width_of(text);
    return std::string(text) + std::string(own < width ? width - own : 0, ' ');
}

void say(const Terminal& terminal, const std::string& sentence, std::size_t margin) {
    const std::size_t first_margin = steps::indentation(sentence);
    std::string row(first_margin, ' '), text;
    for (std::string_view rest = std::string_view(sentence).substr(first_margin); !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const bool empty = steps::trimmed(row).empty();
        if (!empty && terminal.columns && width_of(row) + 1 + width_of(word) > *terminal.columns) {
            text += row + '\n';
            row = std::string(margin, ' ') + std::string(word);
        } else {
            row += (empty ? "" : " ") + std::string(word);
        }
    }
    fmt::print("{}{}\n", text, row);
}

}  // namespace tfs::tutorial
