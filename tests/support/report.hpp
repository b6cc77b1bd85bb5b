// tests/support/report.hpp · the report of a checklist for whoever wrote the steps
#pragma once

#include <string>
#include <vector>

#include "tests/support/outcome.hpp"

namespace tfs::test {

// Prints one message, indented, long lines wrapped at words. With `colour` a likely cause stands out.
void print_message(const std::string& message, bool colour = false, const std::string& indent = "        ");

// Each step in the order of the file: how many checks passed, and of the others what is known. Where a likely cause is
// known, the checks without one are listed by name; else at most three are told in full, and each text once.
// A step of which nothing passes is "not started", or with `touched` "unfinished".
// Returns 1 if one failed or is unfinished, else 3 if one is not started, else 0.
int report(const std::vector<Outcome>& outcomes, bool touched);

}  // namespace tfs::test
