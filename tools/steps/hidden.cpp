// tools/steps/hidden.cpp · solutions that can't be read at a glance, for the copy of a course
#include "tools/steps/hidden.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/steps/text.hpp"

namespace tfs::steps {

namespace {

constexpr std::string_view mark = "hidden: ";

// The bytes of the lines, in hexadecimal, from the last to the first.
std::string line_of(const Lines& lines) {
    const std::string text = join_lines(lines);
    std::string digits(mark);
    for (auto byte = text.rbegin(); byte != text.rend(); ++byte)
        digits += fmt::format("{:02x}", static_cast<unsigned char>(*byte));
    return digits;
}

Lines lines_of(std::string_view line) {
    std::string text;
    for (std::size_t i = mark.size(); i + 1 < line.size(); i += 2)
        text += static_cast<char>(std::stoi(std::string(line.substr(i, 2)), nullptr, 16));
    std::reverse(text.begin(), text.end());
    return split_lines(text);
}

bool is(std::string_view line, std::string_view words) { return trimmed(line).starts_with(words); }

}  // namespace

std::string hidden(const std::string& solution) {
    Lines kept, answer;
    const auto keep = [&](const std::string& line) {
        if (!answer.empty()) kept.push_back(line_of(answer));
        answer.clear();
        kept.push_back(line);
    };
    const Lines lines = split_lines(solution);
    const bool has_gaps = std::any_of(lines.begin(), lines.end(),
                                      [](const std::string& line) { return is(line, "// begin:"); });
    bool in_gap = !has_gaps, in_task = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        if (has_gaps && is(line, "// begin:")) in_gap = in_task = true;
        in_task = in_task && is(line, "//");
        if (is(line, "// instead") || is(line, "// end")) in_gap = !has_gaps;
        if (in_gap && !in_task && i > 1)
            answer.push_back(line);
        else
            keep(line);
    }
    if (!answer.empty()) kept.push_back(line_of(answer));
    return join_lines(kept);
}

std::string revealed(const std::string& text) {
    Lines shown;
    for (const std::string& line : split_lines(text)) {
        if (!is(line, mark)) {
            shown.push_back(line);
            continue;
        }
        const Lines answer = lines_of(line);
        shown.insert(shown.end(), answer.begin(), answer.end());
    }
    return join_lines(shown);
}

bool is_hidden(const std::string& text) {
    const Lines lines = split_lines(text);
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return is(line, mark); });
}

}  // namespace tfs::steps
