// tools/steps/gaps.cpp
#include "tools/steps/gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "tools/steps/text.hpp"

namespace tfs::steps {

namespace {

constexpr std::string_view solution_path = "// solutions/";

// "// solutions/01_attention/softmax.cpp" -> "// exercises/01_attention/softmax.cpp"
std::string exercise_path(const std::string& line) {
    return "// exercises/" + line.substr(solution_path.size());
}

bool is_comment(std::string_view line) { return trimmed(line).starts_with("//"); }
bool begins_gap(std::string_view line) {
    const std::string_view text = trimmed(line);
    return text == "// begin" || text.starts_with("// begin:") || text.starts_with("// begin ");
}
bool begins_fault(std::string_view line) { return trimmed(line) == "// instead"; }
bool ends_gap(std::string_view line) { return trimmed(line) == "// end"; }

// What a line of a solution is.
enum class Part { code, begin, task, answer, instead, fault, end };

// Sorts the lines of a solution. An Error names the file and the line.
std::vector<Part> parts_of(const Lines& lines, const std::string& where) {
    std::vector<Part> parts;
    std::size_t gap = 0, gaps = 0;  // the line where the gap began, 0 outside of gaps
    const auto fail = [&](std::size_t line, const std::string& sentence) {
        throw Error(where + ":" + std::to_string(line) + ": " + sentence);
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (begins_gap(lines[i])) {
            if (gap != 0)
                fail(i + 1, "\"begin\" inside the gap that line " + std::to_string(gap) + " begins");
            constexpr std::string_view mark = "// begin: ";
            if (!trimmed(lines[i]).starts_with(mark) || trimmed(lines[i]).size() == mark.size())
                fail(i + 1, "a gap begins with its task: \"// begin: …\"");
            gap = i + 1;
            ++gaps;
            parts.push_back(Part::begin);
        } else if (ends_gap(lines[i])) {
            if (gap == 0) fail(i + 1, "\"end\" without a \"begin\"");
            if (parts.back() == Part::instead) fail(i, "there is no wrong line below \"instead\"");
            gap = 0;
            parts.push_back(Part::end);
        } else if (gap != 0 && begins_fault(lines[i])) {
            if (parts.back() == Part::fault) fail(i + 1, "a second \"instead\" in this gap");
            parts.push_back(Part::instead);
        } else if (gap != 0 && (parts.back() == Part::instead || parts.back() == Part::fault)) {
            if (!trimmed(lines[i]).starts_with("// "))
                fail(i + 1, "a wrong line below \"instead\" is a comment: \"// …\"");
            parts.push_back(Part::fault);
        } else if (gap == 0) {
            parts.push_back(Part::code);
        } else {
            const bool in_task =
                (parts.back() == Part::begin || parts.back() == Part::task) && is_comment(lines[i]);
            parts.push_back(in_task ? Part::task : Part::answer);
        }
    }
    if (gap != 0) fail(gap, "this gap has no \"// end\"");
    if (gaps == 0) throw Error(where + ": it has no gap (\"// begin: …\" to \"// end\")");
    return parts;
}

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

FunctionName function_name(const std::string& line) {
    if (line.empty() || !(std::isalpha(static_cast<unsigned char>(line[0])))) return {};
    std::size_t open = line.find('('), sign = line.find("operator");
    if (sign < open && line.compare(sign, 10, "operator()") == 0) open = line.find('(', sign + 10);
    if (open == std::string::npos) return {};
    if (sign > open) sign = std::string::npos;
    const std::size_t end = line.find_last_not_of(' ', open - 1) + 1;
    const std::size_t before = line.find_last_of(" &*", sign == std::string::npos ? end - 1 : sign);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return {line.substr(begin, end - begin), open};
}

std::size_t throws_not_implemented(const std::string& line) {
    const std::size_t at = line.find("throw NotImplemented(\"");
    return line.find("//") < at ? std::string::npos : at;
}

std::string exercise_of(const std::string& solution, const std::string& where) {
    const Lines lines = split_lines(solution);
    const auto banner = parse_banner(lines.empty() ? "" : lines[0]);
    if (!banner)
        throw Error(where + ":1: the first line must be like \"// Step 1.1 · softmax · ●○○ · 10 min\"");
    if (lines.size() < 2 || !lines[1].starts_with(solution_path))
        throw Error(where + ":2: the second line is the path: \"// solutions/NN_name/" + banner->name +
                    ".cpp\"");
    const std::vector<Part> parts = parts_of(lines, where);
    Lines exercise;
    std::string margin;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (parts[i] == Part::code || parts[i] == Part::task) {
            exercise.push_back(i == 1 ? exercise_path(lines[i]) + " · check yours with ./tutorial check " +
                                            banner->id()
                                      : lines[i]);
        } else if (parts[i] == Part::begin) {
            margin = std::string(indentation(lines[i]), ' ');
            exercise.push_back(margin + "// TODO " + banner->id() + lines[i].substr(lines[i].find(':')));
        } else if (parts[i] == Part::fault) {
            const std::size_t comment = indentation(lines[i]);
            exercise.push_back(lines[i].substr(0, comment) + lines[i].substr(comment + 3));
        } else if (parts[i] == Part::end && !margin.empty() && parts[i - 1] != Part::fault) {
            exercise.push_back(margin + "throw NotImplemented(\"" + banner->id() + " " + banner->name +
                               "\");");
        }
    }
    return join_lines(exercise);
}

bool seeks_fault(const std::string& solution) {
    const std::vector<Part> parts = parts_of(split_lines(solution), "the solution");
    return std::find(parts.begin(), parts.end(), Part::instead) != parts.end();
}

bool seeks_fault(const Step& step) { return seeks_fault(read_text(step.solution())); }

std::vector<bool> answers_in(const Lines& solution, const std::string& where) {
    std::vector<bool> answers;
    for (const Part part : parts_of(solution, where)) answers.push_back(part == Part::answer);
    return answers;
}

Lines solution_lines(const std::string& solution) {
    const Lines lines = split_lines(solution);
    const std::vector<Part> parts = parts_of(lines, "the solution");
    Lines kept;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (parts[i] == Part::code || parts[i] == Part::answer) kept.push_back(lines[i]);
    return kept;
}

Lines learners_lines(const std::string& learners, const std::string& solution) {
    const Lines lines = split_lines(solution);
    const std::vector<Part> parts = parts_of(lines, "the solution");
    std::set<std::string> tasks;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (parts[i] == Part::task) tasks.insert(lines[i]);
    Lines kept;
    bool in_task = false;
    std::size_t number = 0;
    for (const std::string& line : split_lines(learners)) {
        const bool path =
            ++number == 2 && (line.starts_with("// exercises/") || line.starts_with(solution_path));
        const std::string_view text = trimmed(line);
        if (text.starts_with("// TODO ") || begins_gap(line)) {
            in_task = true;
            continue;
        }
        in_task = in_task && tasks.contains(line);
        if (!in_task && !path && !ends_gap(line)) kept.push_back(line);
    }
    return kept;
}

std::vector<OpenGap> open_gaps(const std::string& learners, const std::string& step_name) {
    std::vector<OpenGap> gaps;
    std::string function;
    std::size_t number = 0;
    for (const std::string& line : split_lines(learners)) {
        ++number;
        if (const std::string name = function_name(line).name; !name.empty()) function = name;
        const std::size_t at = throws_not_implemented(line);
        if (at == std::string::npos) continue;
        if (line.find(" " + step_name + "\"", at) != std::string::npos) gaps.push_back({number, function});
    }
    return gaps;
}

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
