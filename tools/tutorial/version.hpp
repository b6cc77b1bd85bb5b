// tools/tutorial/version.hpp · the text of ./tutorial --version
#pragma once

namespace tfs::tutorial {

// The name of the tutorial; in a git checkout also the commit and its date. Works without git, and where nothing can be
// written.
void print_version();

}  // namespace tfs::tutorial
