// tests/lessons/report_numbers.hpp · whether a report as JSON has what the terminal shows
#pragma once

#include <string>
#include <vector>

namespace tfs::lessons_test {

// The numbers and words of a run as JSON (docs/reports.md), rounded as the JSON says, stand in this order on these lines of a
// terminal with --ascii. The first part that does not; empty where all do. Throws where the JSON can't be parsed.
std::string first_difference_of_report(const std::string& run_json, const std::vector<std::string>& terminal);

}  // namespace tfs::lessons_test
