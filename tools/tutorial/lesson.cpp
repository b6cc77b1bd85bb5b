// tools/tutorial/lesson.cpp · what the lesson and the file of a step say, for the terminal
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "common/terminal/display.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/watching.hpp"

namespace tfs::tutorial {

namespace {

steps::Lines lesson_lines(const std::string& folder) {
    return steps::split_lines(steps::read_text("chapters/" + folder + "/README.md"));
}

// "[text](target)" -> "text", and "![what is seen](file)" -> "(picture: what is seen)".
std::string without_links(std::string text) {
    for (std::size_t middle = 0; (middle = text.find("](", middle)) != std::string::npos;) {
        const std::size_t begin = text.rfind('[', middle), end = text.find(')', middle++);
        if (begin == std::string::npos || end == std::string::npos) continue;
        const std::string shown = text.substr(begin + 1, middle - begin - 2);
        const bool picture = begin > 0 && text[begin - 1] == '!';
        text.replace(begin - (picture ? 1 : 0), end + 1 - begin + (picture ? 1 : 0),
                     picture ? "(picture: " + shown + ")" : shown);
        middle = begin;
    }
    return text;
}

bool begins_item(const std::string& line) {
    return line.starts_with("- ") || line.starts_with("#") || line.starts_with("![") ||
           (line.size() > 2 && std::isdigit(static_cast<unsigned char>(line[0])) != 0 && line[1] == '.');
}

// Paragraphs of Markdown as wide as the terminal; code, tables and formulas that stand alone stay as they are.
std::string for_terminal(const steps::Lines& lines, std::size_t columns) {
    std::string text, paragraph;
    const auto end_paragraph = [&] {
        if (paragraph.empty()) return;
        paragraph = without_links(paragraph);
        text += steps::join_lines(wrap(paragraph, columns, begins_item(paragraph) ? 3 : 0));
        paragraph.clear();
    };
    bool stays = false;  // until the same mark comes again
    for (const std::string& line : lines) {
        const bool mark =
            line.starts_with("```") || (line.starts_with("$$") != (line.size() > 2 && line.ends_with("$$")));
        if (mark || stays || line.empty() || line.starts_with("$$") || line.starts_with("|")) {
            end_paragraph();
            text += (stays ? line : without_links(line)) + "\n";
            stays = stays != mark;
        } else if (!line.starts_with("<!--")) {
            if (begins_item(line)) end_paragraph();
            paragraph += (paragraph.empty() ? "" : " ") + std::string(steps::trimmed(line));
        }
    }
    end_paragraph();
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

}  // namespace

std::string lesson_between(const std::string& folder, const std::string& begin, const std::string& end) {
    const std::string text = steps::join_lines(lesson_lines(folder));
    const std::size_t found = text.find(begin), from = found + begin.size();
    std::string said;
    if (found != std::string::npos)
        for (const std::string& line : steps::split_lines(text.substr(from, text.find(end, from) - from)))
            said += (said.empty() ? "" : " ") + std::string(steps::trimmed(line));
    return said;
}

std::string lesson_of(const steps::Step& step, std::size_t columns) {
    steps::Lines shown;
    bool reads = step.number == 1, folded = false, of_step = false;
    for (const std::string& line : lesson_lines(step.folder)) {
        if (line.starts_with("### " + step.id() + " ")) reads = of_step = true;
        if (line == "## Build it") reads = false;
        if (line.starts_with("<details")) folded = true;
        if (of_step && (folded || line.starts_with("## "))) break;
        if (reads && !folded) shown.push_back(line);
        if (line.starts_with("</details>")) folded = false;
    }
    return for_terminal(shown, columns);
}

std::vector<std::string> tasks_of(const steps::Step& step) {
    std::vector<std::string> tasks;
    bool open = false;
    if (!fs::exists(step.exercise())) return tasks;
    for (const std::string& line : steps::split_lines(steps::read_text(step.exercise()))) {
        const std::string text{steps::trimmed(line)}, mark = "// TODO " + step.id() + ": ";
        if (text.starts_with(mark)) {
            tasks.push_back(text.substr(mark.size()));
            open = true;
        } else if (open && text.starts_with("// ")) {
            tasks.back() += text.substr(2);
        } else {
            open = false;
        }
    }
    return tasks;
}

std::vector<std::string> task_command(const steps::Step& step) {
    const std::string mark = "./tutorial run ";
    std::vector<std::string> words;
    for (const std::string& task : tasks_of(step)) {
        const std::size_t found = task.find(mark);
        if (found == std::string::npos) continue;
        std::istringstream rest(task.substr(found + mark.size()));
        words = {"run"};
        for (std::string word; rest >> word; words.push_back(word))
            if (const std::string& last = words.back();
                last != "run" && last != "--section" && last != "--experiment" && !word.starts_with("--"))
                break;
    }
    return words;
}

}  // namespace tfs::tutorial
