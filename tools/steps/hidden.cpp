// tools/steps/hidden.cpp · solutions that can't be read at a glance, for the copy of a course
#include "tools/steps/hidden.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/steps/gaps.hpp"
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

std::string hidden(const std::string& solution, const std::string& where) {
    const Lines lines = split_lines(solution);
    std::vector<bool> answers(lines.size(), true);  // of a fast twin, all but its banner; of mistakes, all
    if (!where.ends_with(".mistakes"))
        std::fill_n(answers.begin(), std::min<std::size_t>(2, lines.size()), false);
    if (parse_banner(lines.empty() ? "" : lines[0])) answers = answers_in(lines, where);
    Lines kept, answer;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        (answers[i] ? answer : kept).push_back(lines[i]);
        if (answer.empty() || (i + 1 < lines.size() && answers[i + 1])) continue;
        kept.push_back(line_of(answer));
        answer.clear();
    }
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
