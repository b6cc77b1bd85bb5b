// tests/support/checklist.hpp · a checklist as a program
#pragma once

namespace tfs::test {

// Runs the tests that the arguments ask for, and returns the exit code: 0 if all passed, 1 if not, 2 for a bad argument.
int run_checklist(int argc, char** argv);

}  // namespace tfs::test
