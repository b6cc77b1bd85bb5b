// tools/tutorial/output.cpp · what a learner's program printed
#include "tools/tutorial/output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/report.hpp"

namespace tfs::tutorial {

namespace {

// The length of the UTF-8 character at the front; 0 where there is none.
std::size_t character_length(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first < 0x80U   ? 1
                               : first < 0xC2U ? 0
                               : first < 0xE0U ? 2
                               : first < 0xF0U ? 3
                               : first < 0xF5U ? 4
                                               : 0;
    if (length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 0;
    return length;
}

// The control characters 0x80 to 0x9F, too, which UTF-8 writes in two bytes.
bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) return first < 0x20U || first == 0x7FU;
    return first == 0xC2U && static_cast<unsigned char>(character[1]) < 0xA0U;
}

}  // namespace

void Kept::add(std::string_view block) {
    const std::size_t kept = std::min(block.size(), most_ - text_.size());
    text_ += block.substr(0, kept);
    lines_lost_ += static_cast<std::size_t>(
        std::count(block.begin() + static_cast<std::ptrdiff_t>(kept), block.end(), '\n'));
}

std::string harmless(std::string_view line) {
    constexpr std::size_t most = 400;
    std::string text;
    while (!line.empty() && text.size() < most) {
        const std::size_t length = character_length(line);
        const std::string_view character = line.substr(0, std::max<std::size_t>(length, 1));
        line.remove_prefix(character.size());
        if (character == "\t") {
            text += "    ";
        } else if (length == 0 || is_control(character)) {
            for (const char byte : character)
                text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        } else {
            text += character;
        }
    }
    return line.empty() ? text : text + "…";
}

steps::Lines shown_output(const Kept& output) {
    constexpr std::size_t most = 40;
    const steps::Lines lines = steps::split_lines(report::without_heap_words(output.text()));
    if (lines.empty()) return {};
    steps::Lines shown = {"    your output:"};
    for (std::size_t i = 0; i < std::min(most, lines.size()); ++i)
        shown.push_back("      " + harmless(lines[i]));
    const bool cut_in_line =
        output.lines_lost() > 0 && !output.text().ends_with('\n');  // its end is among the lost
    const std::size_t more =
        lines.size() - std::min(most, lines.size()) + output.lines_lost() - (cut_in_line ? 1 : 0);
    if (more > 0) shown.push_back(fmt::format("      … {} more {}", more, more == 1 ? "line" : "lines"));
    return shown;
}

}  // namespace tfs::tutorial
