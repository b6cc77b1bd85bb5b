// tools/tutorial/version.hpp · the text of ./tutorial --version
#pragma once

#include "tools/tutorial/terminal.hpp"

namespace tfs::tutorial {

// The name of the tutorial; in a git checkout also the commit and its date; which kernels of BLAS the programs get, and why. Works
// without git, and where nothing can be written.
void print_version(const Terminal& terminal);

}  // namespace tfs::tutorial
