// tools/steps/pieces.hpp · a step's file taken apart into its functions
#pragma once

#include <string>
#include <vector>

#include "tools/steps/text.hpp"

namespace tfs::steps {

// A function at the left margin, or what stands between two of them (then its name is empty).
struct Piece {
    std::string name;        // "SelfAttention::operator()"
    std::string parameters;  // as written, without white space
    Lines types;             // of the parameters, written in one way
    Lines head;              // the lines up to "{", without it
    Lines lines;
};

std::vector<Piece> pieces_of(const std::string& text);

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
