// tests/fuzz/text_properties.cpp · words, their widths, and a heat map of them
#include "tests/fuzz/text_properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "common/base/errors.hpp"
#include "common/report/sinks.hpp"
#include "common/terminal/display.hpp"
#include "common/text.hpp"

namespace tfs::test {
namespace {

// The text without its spaces.
std::string without_spaces(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
        const Utf8Character character = first_character(text);
        if (!is_space(character.code)) kept += text.substr(0, character.bytes);
        text.remove_prefix(character.bytes);
    }
    return kept;
}

bool can_be_shown(std::string_view text) {
    while (!text.empty()) {
        const Utf8Character character = first_character(text);
        if (!character.valid || is_control(character.code)) return false;
        text.remove_prefix(character.bytes);
    }
    return true;
}

std::string wrong_with_shown(const std::string& shown) {
    if (!can_be_shown(shown)) return "harmless leaves a control character";
    if (harmless(shown) != shown) return "harmless changes its own result";
    if (!is_ascii(to_ascii(shown))) return "to_ascii leaves more than ASCII";
    for (const std::size_t width : {0U, 1U, 2U, 7U, 14U}) {
        const std::string cut = truncate(shown, width);
        if (display_width(cut) > width || !can_be_shown(cut)) return "truncate cuts wrongly";
        if (display_width(pad(cut, width)) != width) return "pad fills up wrongly";
    }
    for (const std::string& line : wrap(shown, 10))
        if (display_width(line) > 10 && line.find(' ') != std::string::npos)
            return "wrap leaves a line too long";
    return "";
}

std::string wrong_with_map(std::vector<std::string> tokens) {
    tokens.resize(std::min<std::size_t>(tokens.size(), 6));
    const Array values = Array::from_shape({tokens.size(), tokens.size()});
    for (const bool ascii : {false, true}) {
        std::ostringstream out;
        print_map(out, values * 0.0f, {.rows = tokens, .columns = tokens}, {.ascii = ascii});
        std::istringstream lines(out.str());
        for (std::string line; std::getline(lines, line);)
            if (display_width(line) > screen_columns || !can_be_shown(line) || (ascii && !is_ascii(line)))
                return "a line of the heat map is wrong: " + harmless(line);
    }
    return "";
}

std::string wrong_with_words(std::string_view text) {
    const Tokens tokens = split_words(text);
    std::string joined;
    for (const std::string& token : tokens) {
        if (token.empty() || without_spaces(token) != token) return "a token is empty or holds a space";
        require_utf8(token);
        joined += token;
    }
    if (joined != without_spaces(text)) return "the tokens are not the text";
    const Vocabulary vocabulary = build_vocabulary(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (vocabulary.words.at(static_cast<std::size_t>(vocabulary.ids.data()[i])) != tokens[i])
            return "an id leads to another word";
    return wrong_with_map(tokens);
}

}  // namespace

std::string wrong_with_text(std::string_view text) try {
    const std::string wrong = wrong_with_shown(harmless(text));
    return wrong.empty() ? wrong_with_words(text) : wrong;
} catch (const ValueError& error) {
    return can_be_shown(error.what()) ? "" : "the error holds control characters";
} catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
}

}  // namespace tfs::test
