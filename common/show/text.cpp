// common/show/text.cpp · widths, padding, wrapping, and words
#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "common/base/errors.hpp"
#include "common/show/utf8.hpp"

namespace tfs {

std::size_t display_width(std::string_view utf8) {
    std::size_t width = 0;
    while (!utf8.empty()) {
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
    return std::string(utf8.substr(0, bytes)) + std::string(ellipsis);
}

std::vector<std::string> wrap(std::string_view utf8, std::size_t width) {
    std::vector<std::string> lines(1);
    for (std::size_t begin = 0; begin < utf8.size();) {
        const std::size_t end = std::min(utf8.find(' ', begin), utf8.size());
        const std::string word(utf8.substr(begin, end - begin));
        begin = end + 1;
        if (word.empty()) continue;
        if (lines.back().empty()) {
            lines.back() = word;
        } else if (display_width(lines.back()) + 1 + display_width(word) <= width) {
            lines.back() += " " + word;
        } else {
            lines.push_back(word);
        }
    }
    return lines;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string to_ascii(std::string_view utf8) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> known = {{{"·", "-"},
                                                                                      {"–", "-"},
                                                                                      {"—", "-"},
                                                                                      {"×", "x"},
                                                                                      {"…", "..."},
                                                                                      {"→", "->"},
                                                                                      {"ᵀ", "^T"},
                                                                                      {"²", "^2"},
                                                                                      {"√", "sqrt"},
                                                                                      {"≤", "<="},
                                                                                      {"≥", ">="}}};
    std::string result;
    while (!utf8.empty()) {
        const std::string_view character = utf8.substr(0, first_character(utf8).bytes);
        const auto* found =
            std::find_if(known.begin(), known.end(), [&](auto pair) { return pair.first == character; });
        result += is_ascii(character) ? character : found != known.end() ? found->second : "?";
        utf8.remove_prefix(character.size());
    }
    return result;
}

std::string named_shape(const Shape& shape, const std::vector<std::string>& axes) {
    if (axes.size() != shape.size()) {
        throw ShapeError(fmt::format("{} names of axes for the shape {}", axes.size(), to_string(shape)));
    }
    std::string text = "(";
    for (std::size_t i = 0; i < axes.size(); ++i)
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", axes[i], shape[i]);
    return text + ")";
}

void require_utf8(std::string_view text) {
    for (std::size_t position = 0; position < text.size();) {
        const Utf8Character character = first_character(text.substr(position));
        if (!character.valid) {
            throw ValueError(fmt::format("the text is not valid UTF-8: byte {} is 0x{:02X}", position,
                                         static_cast<unsigned char>(text[position])));
        }
        position += character.bytes;
    }
}

std::vector<std::string> split_words(std::string_view text, std::string_view name) {
    require_utf8(text);
    constexpr std::string_view own_tokens = ".,;:!?()\"";
    std::vector<std::string> tokens;
    bool in_word = false;
    while (!text.empty()) {
        const Utf8Character character = first_character(text);
        const std::string_view bytes = text.substr(0, character.bytes);
        text.remove_prefix(character.bytes);
        if (is_space(character.code)) {
            in_word = false;
        } else if (character.bytes == 1 && own_tokens.find(bytes[0]) != std::string_view::npos) {
            tokens.emplace_back(bytes);
            in_word = false;
        } else if (in_word) {
            tokens.back() += bytes;
        } else {
            tokens.emplace_back(bytes);
            in_word = true;
        }
    }
    if (tokens.empty()) throw ValueError(std::string(name) + " is empty: it needs at least one word");
    return tokens;
}

Vocabulary build_vocabulary(const std::vector<std::string>& tokens) {
    if (tokens.empty()) throw ValueError("the text is empty: a vocabulary needs at least one token");
    Vocabulary vocabulary;
    vocabulary.ids = Ids::from_shape({1, tokens.size()});
    std::unordered_map<std::string, std::int64_t> id_of;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto next_id = static_cast<std::int64_t>(vocabulary.words.size());
        const auto [entry, is_new] = id_of.emplace(tokens[i], next_id);
        if (is_new) vocabulary.words.push_back(tokens[i]);
        vocabulary.ids.data()[i] = entry->second;
    }
    return vocabulary;
}

}  // namespace tfs
