// tools/steps/pieces.hpp · a step's file taken apart into its functions
#pragma once

#include <string>
#include <vector>

#include "tools/steps/text.hpp"

namespace tfs::steps {

// A function at the left margin, or what stands between two of them (then its name is empty).
struct Piece {
    std::string name;  // "SelfAttention::operator()"
    Lines lines;
};

std::vector<Piece> pieces_of(const std::string& text);

}  // namespace tfs::steps
