// tools/steps/gaps.hpp · what a learner writes: the gaps of a solution, and the exercise that is made of it
//
// A solution marks the lines that a learner writes, in one gap or more:
//
//     // begin: The task, in a comment.
//     // More of it: all comment lines directly below "begin".
//     …the solution…
//     // end
//
// Its second line is its path. In the exercise that line says too how to check the step, and the task stays, as "// TODO 1.1: …". An indented gap is inside a function: there the exercise throws
// NotImplemented("1.1 attention_loops"). A gap at the left margin (a helper function, say) leaves only its task.
//
// In a step where a fault is to be found, the exercise has wrong lines instead. They stand in the gap as comments:
//
//     // begin: These lines run, and are wrong. Find the fault.
//     return 2 * x;
//     // instead
//     // return x * x;
//     // end
#pragma once

#include <string>
#include <vector>

#include "tools/steps/tutorial.hpp"

namespace tfs::steps {

// The exercise made of a solution. `where` names the file in an Error: a bad first line, a gap inside a gap, one that
// does not end, an end without a begin, a gap without a task, no gap at all.
std::string exercise_of(const std::string& solution, const std::string& where);

// Whether a gap of the solution has wrong lines for the exercise. Of a step: reads its solution.
bool seeks_fault(const std::string& solution);
bool seeks_fault(const Step& step);

// Which lines of a solution are its answers: what a learner writes. Error as exercise_of.
std::vector<bool> answers_in(const Lines& solution, const std::string& where);

// The lines of a solution without the marks of its gaps and their tasks: what a lesson quotes, and what mistakes edit.
Lines solution_lines(const std::string& solution);

// A learner's file for a comparison with the solution: without the tasks, which come from the solution, and without the
// path in its second line.
Lines learners_lines(const std::string& learners, const std::string& solution);

// The function that a line at the left margin begins: "softmax", "SelfAttention::operator()"; no name if it begins none.
struct FunctionName {
    std::string name;
    std::size_t parameters = 0;  // where they begin
};
FunctionName function_name(const std::string& line);

// Where a line throws NotImplemented, not in a comment; npos if it doesn't.
std::size_t throws_not_implemented(const std::string& line);

// A gap that still throws NotImplemented.
struct OpenGap {
    std::size_t line;      // counted from 1
    std::string function;  // that it stands in
};
std::vector<OpenGap> open_gaps(const std::string& learners, const std::string& step_name);

// A solution whose gaps keep their task, and the wrong lines where a fault is to be found; of a file without gaps, a fast twin, only
// the first two lines stay, and of mistakes none. `where` names the file in an Error.
std::string hidden(const std::string& solution, const std::string& where);

// What hidden() was given.
std::string revealed(const std::string& text);

bool is_hidden(const std::string& text);

}  // namespace tfs::steps
