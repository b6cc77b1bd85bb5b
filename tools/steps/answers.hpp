// tools/steps/answers.hpp · all kept answers to a step in one file: its solution, its stub, its mistakes
//
// The file is the solution. Where an answer has another body of a function, that function becomes a switch:
//
//     Tensor softmax(const Tensor& x, int axis) {
//         static const int answer_here = answers_to_softmax.chosen({1, 7});
//         switch (answer_here) {
//             case 1: { …the stub's body… } break;
//             case 7: { …a mistake's… } break;
//             default: { …the solution's… }
//         }
//     }
//
// So a step's mistakes are compiled in one go and linked once; tests/support/answers.hpp chooses among them.
#pragma once

#include <string>
#include <vector>

namespace tfs::steps {

struct Answer {
    std::string name;  // "stub", "wrong_axis"
    std::string file;  // for an Error
    std::string text;  // the whole step
};

// Answers number 1, 2, … in this order, beside the solution, which is number 0. Error where an answer, a stub as well, differs
// from the solution in something else than bodies of functions, comments, added includes and helper functions, whose names differ from
// those of all others.
std::string in_one_file(const std::string& step, const std::string& solution,
                        const std::vector<Answer>& answers);

}  // namespace tfs::steps
