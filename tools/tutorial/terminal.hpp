// tools/tutorial/terminal.hpp · sentences, as wide as the learner's terminal
#pragma once

#include <string>

#include "common/terminal/terminal.hpp"

namespace tfs::tutorial {

// Prints a sentence to standard output. Where the terminal is narrower, it is wrapped at words, and the following lines
// are indented by `margin`.
void say(const Terminal& terminal, const std::string& sentence, std::size_t margin = 6);

}  // namespace tfs::tutorial
