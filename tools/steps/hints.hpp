// tools/steps/hints.hpp · the hints of a step
//
// chapters/NN_name/hints.md has a section for each step, "## softmax", with the items "1.", "2." and "3.".
#pragma once

#include "tools/steps/tutorial.hpp"

namespace tfs::steps {

// The hints of a step, each without its number and margin. None where the file or the section is missing.
std::vector<std::string> hints_of(const Tutorial& tutorial, const Step& step);

}  // namespace tfs::steps
