// tools/steps/answers.cpp
#include "tools/steps/answers.hpp"

#include <algorithm>
#include <iterator>

#include "tools/steps/gaps.hpp"

namespace tfs::steps {

namespace {

// Whether a function begins in this line.
bool begins_function(const std::string& line) {
    for (const std::string_view word :
         {"namespace", "using", "struct", "class", "enum", "template", "static_assert"})
        if (line.starts_with(word)) return false;
    const auto [name, open] = function_name(line);
    return !name.empty() && (line.find('=') > open || name.find("operator") != std::string::npos);
}

// Whether a line ends all that it opens, and the last of it is a body: "    : x(1), y{2} {}", but not "    : x(1), y{2}".
bool ends_body(const std::string& code) {
    int depth = 0;
    bool body = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '{' && depth++ == 0) body = i > 0 && code[i - 1] == ' ';
        if (code[i] == '}') --depth;
    }
    return depth == 0 && body && code.ends_with('}');
}

// Where the function ends that begins in line `first`: behind a line "}" at the left margin, or behind a line, of those that open
// no body for the following ones, that is all of it or its last; or behind a declaration.
std::size_t end_of_function(const Lines& lines, std::size_t first) {
    bool body = false, open = false;
    for (std::size_t i = first; i < lines.size(); ++i) {
        const std::string code(trimmed(std::string_view(lines[i]).substr(0, lines[i].find("//"))));
        body = body || code.find('{') != std::string::npos;
        if ((i > first && code.starts_with('}') && lines[i].starts_with('}')) ||
            (i == first && code.ends_with('}')) || (!open && ends_body(code)) ||
            (!body && code.ends_with(';')))
            return i + 1;
        open = open || std::count(code.begin(), code.end(), '{') > std::count(code.begin(), code.end(), '}');
    }
    return lines.size();
}

// A function at the left margin, or the lines between two of them (then `head` is empty).
struct Stretch {
    Lines head;                // up to the line that ends with " {"
    Lines body;                // up to the line "}", which is not part of it
    Lines cases = {};          // of other answers, for a switch
    std::string numbers = {};  // of these: "1, 7"
};

void put(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

// The functions whose bodies have lines of their own, and what stands between them.
std::vector<Stretch> stretches_of(const std::string& text) {
    std::vector<Stretch> stretches(1);
    const Lines lines = split_lines(text);
    for (auto first = lines.begin(); first != lines.end();) {
        const auto place = static_cast<std::size_t>(first - lines.begin());
        const auto end = begins_function(*first)
                             ? lines.begin() + static_cast<std::ptrdiff_t>(end_of_function(lines, place))
                             : first + 1;
        const auto opens =
            std::find_if(first, end, [](const std::string& line) { return line.ends_with("{"); });
        if (!begins_function(*first) || opens == end || end[-1] != "}") {
            put(stretches.back().body, {first, end});
        } else {
            stretches.push_back({{first, opens + 1}, {opens + 1, end - 1}});
            stretches.push_back({{}, {"}"}});
        }
        first = end;
    }
    return stretches;
}

bool adds_include(const std::string& line) { return line.starts_with("#include "); }

// What is the same in all answers: all but the bodies of functions, includes, comments and empty lines.
Lines frame_of(const std::vector<Stretch>& stretches) {
    Lines frame;
    for (const Stretch& stretch : stretches)
        for (const std::string& line : stretch.head.empty() ? stretch.body : stretch.head)
            if (!adds_include(line) && !line.starts_with("//") && !trimmed(line).empty())
                frame.push_back(line);
    return frame;
}

void put_includes(Lines& includes, const std::string& text) {
    for (const std::string& line : split_lines(text))
        if (adds_include(line) && std::find(includes.begin(), includes.end(), line) == includes.end())
            includes.push_back(line);
}

// Takes out the functions that the solution has not: helpers of this answer.
Lines taken_helpers(std::vector<Stretch>& others, const std::vector<Stretch>& functions) {
    Lines helpers;
    for (std::size_t i = 0; i + 1 < others.size();) {
        const auto is_there = [&](const Stretch& one) { return one.head == others[i].head; };
        if (others[i].head.empty() || std::any_of(functions.begin(), functions.end(), is_there)) {
            ++i;
            continue;
        }
        put(helpers, others[i].head);
        put(helpers, others[i].body);
        put(helpers, {"}"});
        others[i + 1].body.erase(others[i + 1].body.begin());  // its "}"
        put(others[i - 1].body, others[i + 1].body);
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i),
                     others.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    }
    return helpers;
}

// Adds the bodies in which this answer differs from the solution, as cases of this number.
void put_cases(std::vector<Stretch>& functions, Lines& helpers, const Answer& answer, std::size_t number) {
    std::vector<Stretch> others = stretches_of(answer.text);
    put(helpers, taken_helpers(others, functions));
    if (frame_of(others) != frame_of(functions))
        throw Error(answer.file +
                    " changes more than bodies of functions; only includes and helpers may be added");
    // With the same frame, there are the same functions in the same order.
    for (std::size_t i = 0; i < functions.size(); ++i) {
        if (functions[i].head.empty() || functions[i].body == others[i].body) continue;
        put(functions[i].cases, {"case " + std::to_string(number) + ": {  // " + answer.name});
        functions[i].numbers += (functions[i].numbers.empty() ? "" : ", ") + std::to_string(number);
        put(functions[i].cases, others[i].body);
        put(functions[i].cases, {"} break;"});
    }
}

}  // namespace

std::string in_one_file(const std::string& step, const std::string& solution,
                        const std::vector<Answer>& answers) {
    std::vector<Stretch> stretches = stretches_of(solution);
    Lines includes, helpers;
    put_includes(includes, solution);
    std::string names;
    for (const Answer& answer : answers) {
        put_includes(includes, answer.text);
        names += (names.empty() ? "\"" : ", \"") + answer.name + "\"";
        put_cases(stretches, helpers, answer, static_cast<std::size_t>(&answer - answers.data()) + 1);
    }
    const std::string answers_to = "answers_to_" + step;
    Lines made = {"// made of the solution of " + step + ", its stub and its mistakes"};
    put(made, includes);
    put(made, {"#include \"tests/support/answers.hpp\"",
               "namespace { tfs::test::Answers " + answers_to + "(\"" + step + "\", {" + names + "}); }"});
    for (const Stretch& stretch : stretches) {
        put(made, stretch.head);
        if (!stretch.cases.empty()) {
            put(made, {"static const int answer_here = " + answers_to + ".chosen({" + stretch.numbers + "});",
                       "switch (answer_here) {"});
            put(made, stretch.cases);
            put(made, {"default: {"});
        }
        std::copy_if(stretch.body.begin(), stretch.body.end(), std::back_inserter(made),
                     [](const std::string& line) { return !adds_include(line); });
        if (!stretch.cases.empty()) put(made, {"}", "}"});
        if (&stretch == &stretches.front() && !helpers.empty()) {
            put(made, {"namespace {"});
            put(made, helpers);
            put(made, {"}"});
        }
    }
    return join_lines(made);
}

}  // namespace tfs::steps
