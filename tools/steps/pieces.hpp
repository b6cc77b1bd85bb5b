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
    Lines lines;
};

std::vector<Piece> pieces_of(const std::string& text);

// The functions of the exercise whose names no function of the learner's file has.
std::vector<Piece> missing_functions(const std::string& learners, const std::string& exercise);

}  // namespace tfs::steps
