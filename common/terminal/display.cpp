// common/terminal/display.cpp · the width of UTF-8 text on the screen, padding, cutting, wrapping
#include "common/terminal/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/terminal/utf8.hpp"

namespace tfs {

namespace {

// "\x1b[1;33m" at the front of a text, which a terminal obeys and doesn't show.
std::size_t colour_length(std::string_view text) {
    if (!text.starts_with("\x1b[")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return end < text.size() && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
    std::size_t width = 0;
    while (!utf8.empty()) {
        if (const std::size_t colour = colour_length(utf8); colour > 0) {
            utf8.remove_prefix(colour);
            continue;
        }
        const Utf8Character character = first_character(utf8);
        width += character.valid ? character_width(character.code) : 1;
        utf8.remove_prefix(character.bytes);
    }
    return width;
}

std::string pad(std::string_view utf8, std::size_t width, Align align) {
    const std::size_t own = display_width(utf8);
    const std::string spaces(own < width ? width - own : 0, ' ');
    return align == Align::left ? std::string(utf8) + spaces : spaces + std::string(utf8);
}

std::string truncate(std::string_view utf8, std::size_t width, std::string_view ellipsis) {
    if (display_width(utf8) <= width) return std::string(utf8);
    if (display_width(ellipsis) > width) ellipsis = "";

    const std::size_t room = width - display_width(ellipsis);
    std::size_t used = 0;
    std::size_t bytes = 0;
    while (bytes < utf8.size()) {
        const Utf8Character character = first_character(utf8.substr(bytes));
        const std::size_t own = character.valid ? character_width(character.code) : 1;
        if (used + own > room) break;
        used += own;
        bytes += character.bytes;
    }
    while (bytes > 0 && utf8[bytes - 1] == ' ') --bytes;
    return std::string(utf8.substr(0, bytes)) + std::string(ellipsis);
}

std::vector<std::string> wrap(std::string_view utf8, std::size_t width, std::size_t margin) {
    if (display_width(utf8) <= width) return {std::string(utf8)};
    const std::size_t spaces = std::min(utf8.find_first_not_of(' '), utf8.size());
    std::vector<std::string> lines = {std::string(spaces, ' ')};
    bool empty = true;  // the last line has no word yet
    for (std::size_t begin = spaces; begin < utf8.size();) {
        const std::size_t end = std::min(utf8.find(' ', begin), utf8.size());
        const std::string word(utf8.substr(begin, end - begin));
        begin = end + 1;
        if (word.empty()) continue;
        if (!empty && display_width(lines.back()) + 1 + display_width(word) > width) {
            lines.emplace_back(margin, ' ');
            empty = true;
        }
        lines.back() += (empty ? "" : " ") + word;
        empty = false;
    }
    return lines;
}

std::string harmless(std::string_view line) {
    std::string text;
    while (!line.empty()) {
        const Utf8Character character = first_character(line);
        const std::string_view bytes = line.substr(0, character.bytes);
        line.remove_prefix(character.bytes);
        if (bytes == "\t") {
            text += "    ";
        } else if (!character.valid || is_control(character.code)) {
            for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        } else {
            text += bytes;
        }
    }
    return text;
}

std::string visible(std::string_view token) {
    return token == " " ? "␣" : token == "\n" ? "¶" : harmless(token);
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string to_ascii(std::string_view utf8) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 13> known = {{{"·", "-"},
                                                                                      {"–", "-"},
                                                                                      {"—", "-"},
                                                                                      {"×", "x"},
                                                                                      {"…", "..."},
                                                                                      {"→", "->"},
                                                                                      {"ᵀ", "^T"},
                                                                                      {"²", "^2"},
                                                                                      {"√", "sqrt"},
                                                                                      {"≤", "<="},
                                                                                      {"≥", ">="},
                                                                                      {"␣", "_"},
                                                                                      {"¶", "/"}}};
    std::string result;
    while (!utf8.empty()) {
        const std::string_view character = utf8.substr(0, first_character(utf8).bytes);
        const auto* found =
            std::find_if(known.begin(), known.end(), [&](auto pair) { return pair.first == character; });
        if (is_ascii(character))
            result += character;
        else if (found != known.end())
            result += found->second;
        else
            result.append(display_width(character), '?');
        utf8.remove_prefix(character.size());
    }
    return result;
}

}  // namespace tfs
