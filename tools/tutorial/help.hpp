// tools/tutorial/help.hpp · the text of ./tutorial --help
#pragma once

#include <string>

#include "tools/tutorial/terminal.hpp"

namespace tfs::tutorial {

// All of it; or what it says of this command, where there is one of this name.
void print_help(const Terminal& terminal, const std::string& command);

}  // namespace tfs::tutorial
