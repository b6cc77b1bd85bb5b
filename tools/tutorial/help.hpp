// tools/tutorial/help.hpp · the text of ./tutorial --help
#pragma once

#include <string_view>

namespace tfs::tutorial {

std::string_view help_text();

}  // namespace tfs::tutorial
