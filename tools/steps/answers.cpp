// tools/steps/answers.cpp · all kept answers to a step in one file: its solution, its stub, its mistakes
#include "tools/steps/answers.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tools/steps/text.hpp"

namespace tfs::steps {

namespace {

// A function at the left margin, or the lines between two of them (then `head` is empty).
struct Stretch {
    Lines head;  // up to the line that ends with " {"
    Lines body;  // up to the line "}", which is not part of it
};

bool may_begin_function(const std::string& line) {
    if (line.empty() || line[0] == ' ' || line[0] == '}' || line[0] == '#' || line[0] == '/') return false;
    for (const std::string_view word : {"namespace", "using", "struct", "class", "enum"})
        if (line.starts_with(word)) return false;
    return true;
}

// Where the function ends that begins here: its "}"; `first` where none begins.
std::size_t end_of_body(const Lines& lines, std::size_t first) {
    if (!may_begin_function(lines[first])) return first;
    for (std::size_t i = first; i < lines.size(); ++i) {
        if (lines[i] == "}") return i;
        if (lines[i].starts_with("}") || (i > first && may_begin_function(lines[i]))) return first;
    }
    return first;
}

std::vector<Stretch> stretches_of(const Lines& lines) {
    std::vector<Stretch> stretches(1);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t end = end_of_body(lines, i);
        std::size_t open = i;
        while (open < end && !lines[open].ends_with("{")) ++open;
        if (open == end) {
            stretches.back().body.push_back(lines[i]);
            continue;
        }
        const auto at = [&](std::size_t line) { return lines.begin() + static_cast<std::ptrdiff_t>(line); };
        stretches.push_back({Lines(at(i), at(open + 1)), Lines(at(open + 1), at(end))});
        stretches.emplace_back();
        stretches.back().body.push_back(lines[end]);
        i = end;
    }
    return stretches;
}

bool adds_include(const std::string& line) { return line.starts_with("#include "); }

// What must be the same in the solution and in a mistake: all but the bodies of functions, includes and empty lines.
Lines frame_of(const std::vector<Stretch>& stretches) {
    Lines frame;
    for (const Stretch& stretch : stretches)
        for (const std::string& line : stretch.head.empty() ? stretch.body : stretch.head)
            if (!adds_include(line) && !trimmed(line).empty()) frame.push_back(line);
    return frame;
}

void put(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

Lines without_includes(const Lines& lines) {
    Lines kept;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(kept),
                 [](const std::string& line) { return !adds_include(line); });
    return kept;
}

}  // namespace

std::string in_one_file(const std::string& step, const Answer& solution, const std::vector<Answer>& answers) {
    const std::vector<Stretch> stretches = stretches_of(split_lines(solution.text));
    std::map<Lines, Lines> cases;  // by the head of a function
    for (const Stretch& stretch : stretches)
        if (!stretch.head.empty()) cases[stretch.head];

    Lines includes;
    const auto take_includes = [&](const std::string& text) {
        for (const std::string& line : split_lines(text))
            if (adds_include(line) && std::find(includes.begin(), includes.end(), line) == includes.end())
                includes.push_back(line);
    };
    take_includes(solution.text);
    std::string names;
    for (std::size_t number = 1; number <= answers.size(); ++number) {
        const Answer& answer = answers[number - 1];
        const std::vector<Stretch> others = stretches_of(split_lines(answer.text));
        if (!answer.is_stub && frame_of(others) != frame_of(stretches))
            throw Error(answer.file + " changes more than bodies of functions; only includes may be added");
        for (const Stretch& stretch : others) {
            if (stretch.head.empty()) continue;
            const auto same = std::find_if(stretches.begin(), stretches.end(),
                                           [&](const Stretch& p) { return p.head == stretch.head; });
            if (same == stretches.end())
                throw Error(answer.file + " has a function that the solution lacks: " + stretch.head.front());
            if (same->body == stretch.body) continue;
            put(cases[stretch.head],
                {"case " + std::to_string(number) + ": {", "#line 1 \"" + answer.file + "\""});
            put(cases[stretch.head], stretch.body);
            put(cases[stretch.head], {"} break;"});
        }
        take_includes(answer.text);
        names += (names.empty() ? "\"" : ", \"") + answer.name + "\"";
    }

    const std::string answers_to = "answers_to_" + step;
    Lines made = {"// made of the solution of " + step + ", its stub and its mistakes"};
    put(made, includes);
    put(made,
        {"#include \"tests/support/answers.hpp\"",
         "namespace { const tfs::test::Answers " + answers_to + "(\"" + step + "\", {" + names + "}); }"});
    for (const Stretch& stretch : stretches) {
        put(made, stretch.head);
        const bool varies = !stretch.head.empty() && !cases[stretch.head].empty();
        if (varies) {
            put(made, {"switch (" + answers_to + ".chosen()) {"});
            put(made, cases[stretch.head]);
            put(made, {"default: {", "#line 1 \"" + solution.file + "\""});
        }
        put(made, without_includes(stretch.body));
        if (varies) put(made, {"}", "}"});
    }
    return join_lines(made);
}

}  // namespace tfs::steps
