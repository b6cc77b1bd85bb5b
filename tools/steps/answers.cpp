// tools/steps/answers.cpp · all kept answers to a step in one file: its solution, its stub, its mistakes
#include "tools/steps/answers.hpp"

#include <algorithm>
#include <iterator>

#include "tools/steps/pieces.hpp"

namespace tfs::steps {

namespace {

// A function at the left margin, or the lines between two of them (then `head` is empty).
struct Stretch {
    Lines head;                // up to the line that ends with " {"
    Lines body;                // up to the line "}", which is not part of it
    Lines cases = {};          // of other answers, for a switch
    std::string numbers = {};  // of these: "1, 7"
};

void put(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

std::vector<Stretch> stretches_of(const std::string& text) {
    std::vector<Stretch> stretches(1);
    for (const Piece& piece : pieces_of(text)) {
        const auto head_end = std::find_if(piece.lines.begin(), piece.lines.end(),
                                           [](const std::string& line) { return line.ends_with("{"); });
        if (piece.name.empty() || head_end == piece.lines.end() || piece.lines.back() != "}") {
            put(stretches.back().body, piece.lines);
            continue;
        }
        stretches.push_back({{piece.lines.begin(), head_end + 1}, {head_end + 1, piece.lines.end() - 1}});
        stretches.push_back({{}, {"}"}});
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
