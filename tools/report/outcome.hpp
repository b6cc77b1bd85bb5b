// tools/report/outcome.hpp · what the tests of one step came to
//
// The checklist collects this while it runs and sends it to the runner, which prints it (channel.hpp, report.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfs::report {

// The array that came in a wrong comparison, or a text that says all. What is off by no more than its tolerance (close.hpp) is the
// same.
struct Came {
    double relative = 0.0, absolute = 0.0;
    std::string shape{};          // "(2, 3)"; empty where no array was compared
    std::vector<float> values{};  // all, or of a large array 1024, evenly spread
    std::string text{};
};

// A comparison that came out wrong, or an exception that ended the test.
struct Failure {
    std::string message;      // as gtest says it
    std::string where{};      // "softmax_test.cpp:83"
    std::string exception{};  // its type; empty where none ended the test
    std::string came{};       // in_text of a Came, where the message does not say all
    std::size_t number = 0;   // of the comparison in its test
    bool last = false;        // the test ended there
};

// One test: softmax.rows_sum_to_one is of the step softmax.
struct Outcome {
    std::string step;
    std::string name;
    bool finished = false, passed = false;
    std::vector<Failure> failures;
    bool left_out = false;  // it needs what fails elsewhere

    // The step whose NotImplemented came through to this test, as "1.1 attention_loops"; empty where none did.
    std::string waits_for() const;
    // The test failed because this very step is not started.
    bool not_started() const;
    // Something in it is wrong.
    bool failed() const;
};

// How the program of a check ended.
struct Ending {
    enum class Kind { exit, signal, time_limit };
    Kind kind = Kind::exit;
    int code = 0;        // of the exit, or the number of the signal
    std::string errors;  // what it wrote to standard error, for the cause of a crash
};

// "rows_sum_to_one" -> "rows sum to one"
std::string in_words(std::string test_name);

// A mask, a bias, an end_id: what may be left out is empty in some checks.
inline constexpr std::string_view empty_optional =
    "an optional has no value: it was read while empty; ask first, as in if (mask)";

}  // namespace tfs::report
