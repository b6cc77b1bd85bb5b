// tools/report/outcome.hpp · what the tests of one step came to
//
// The checklist collects this while it runs and sends it to the runner, which prints it (channel.hpp, report.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfs::report {

// One test: softmax.rows_sum_to_one is of the step softmax.
struct Outcome {
    std::string step;
    std::string name;
    bool finished = false, passed = false;
    std::vector<std::string> messages;  // of the failures
    std::vector<std::string> came{};    // in its comparisons, if they are recorded
    std::string exception{};  // the type of the one that ended it; empty where none did, or none is recorded

    // The step whose NotImplemented came through to this test, as "1.1 attention_loops"; empty where none did.
    std::string waits_for() const;
    // The test failed because this very step is not started.
    bool not_started() const;
};

// "rows_sum_to_one" -> "rows sum to one"
std::string in_words(std::string test_name);

// A mask, a bias, an end_id: what may be left out is empty in some checks.
inline constexpr std::string_view empty_optional =
    "Likely cause: an optional has no value: it was read while empty; ask first, as in if (mask)";

}  // namespace tfs::report
