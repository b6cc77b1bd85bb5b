// tools/steps/generate.hpp · what the program tfs_generate does; generate.cpp says how it is used
#pragma once

#include <string>
#include <vector>

namespace tfs::steps {

// Returns the exit code.
int generate(const std::vector<std::string>& words);

}  // namespace tfs::steps
