// tools/tutorial/help.hpp · the text of ./tutorial --help
#pragma once

#include "tools/tutorial/terminal.hpp"

namespace tfs::tutorial {

void print_help(const Terminal& terminal);

}  // namespace tfs::tutorial
