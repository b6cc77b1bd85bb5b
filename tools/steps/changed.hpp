// tools/steps/changed.hpp · a learner's file beside the exercise as it is in this version
#pragma once

#include "tools/steps/pieces.hpp"

namespace tfs::steps {

// Something in this function of an exercise is the learner's: a gap, or lines with a fault to find.
bool is_hers(const Piece& function);

// The functions of the exercise whose names no function of the learner's file has.
std::vector<Piece> missing_functions(const std::string& learners, const std::string& exercise);

// A function of the exercise that stands in the learner's file with parameters of other types.
struct Changed {
    Piece now, hers;
};
std::vector<Changed> changed_functions(const std::string& learners, const std::string& exercise);

// A given function of the exercise that stands in the learner's file with other lines.
struct OtherLines {
    Piece now;
    std::size_t first = 0, last = 0;  // hers, counted from 1

    bool has(std::size_t line) const { return first <= line && line <= last; }
};
std::vector<OtherLines> other_given_lines(const std::string& learners, const std::string& exercise);

// Her function under the head of another one.
Lines under_head(const Piece& now, const Piece& hers);

}  // namespace tfs::steps
