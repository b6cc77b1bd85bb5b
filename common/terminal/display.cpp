// common/terminal/display.cpp
#include "common/terminal/display.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace tfs {

namespace {

const utf8proc_property_t& properties(std::uint32_t code) {
    return *utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
}

bool separates(std::uint32_t code) {
    const auto category = properties(code).category;
    return category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

// "\x1b[1;33m" at the front of a text, which a terminal obeys and doesn't show.
std::size_t colour_length(std::string_view text) {
    if (!text.starts_with("\x1b[")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return end < text.size() && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

Utf8Character first_character(std::string_view utf8) {
    if (const auto byte = static_cast<unsigned char>(utf8[0]); byte < 0x80) return {byte, 1, true};
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()),
                                                    static_cast<utf8proc_ssize_t>(utf8.size()), &code);
    if (bytes <= 0) return {static_cast<unsigned char>(utf8[0]), 1, false};
    return {static_cast<std::uint32_t>(code), static_cast<std::size_t>(bytes), true};
}

std::size_t character_width(std::uint32_t code) {
    const int bound = properties(code).boundclass;
    const bool joins =
        bound == UTF8PROC_BOUNDCLASS_V || bound == UTF8PROC_BOUNDCLASS_T;  // a syllable's later letters
    if (is_control(code) || joins) return 0;
    return static_cast<std::size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(code)));
}

bool is_control(std::uint32_t code) {
    if (code < 0x80) return code < 0x20 || code == 0x7F;
    const utf8proc_property_t& about = properties(code);
    const bool turns = about.category == UTF8PROC_CATEGORY_CF && about.bidi_class != UTF8PROC_BIDI_CLASS_BN;
    return about.category == UTF8PROC_CATEGORY_CC || separates(code) || turns;
}

bool is_space(std::uint32_t code) {
    return properties(code).category == UTF8PROC_CATEGORY_ZS || separates(code) ||
           (code >= 0x09 && code <= 0x0D) || code == 0x85;
}

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

std::string with_pilcrows(std::string_view text) {
    std::string line;
    for (const char byte : text) line += byte == '\n' ? "¶" : std::string(1, byte);
    return harmless(line);
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
