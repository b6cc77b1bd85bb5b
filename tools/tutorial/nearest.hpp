// tools/tutorial/nearest.hpp · what a mistyped word was meant to be
#pragma once

#include <string>
#include <vector>

namespace tfs::tutorial {

// " Did you mean check?" with the nearest candidate, or nothing where none is near. Put it after a sentence.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace tfs::tutorial
