// tests/support/checklist.hpp · a checklist as a program, and where its results go
#pragma once

#include "tools/verdict/channel.hpp"

namespace tfs::test {

// Runs the tests that the arguments ask for, and returns the exit code: 0 if all passed, 1 if not, 2 for a bad argument.
int run_checklist(int argc, char** argv);

// Puts a collector in the place of gtest's own report. From here on an assertion of the standard library
// (-D_GLIBCXX_ASSERTIONS) says over the channel what went wrong, before it ends the program.
void collect(verdict::Channel channel);

}  // namespace tfs::test
