// tests/support/outcome.hpp · what the tests of a checklist came to, and how to say it to people
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfs::test {

// One test: Step_1_1_softmax.rows_sum_to_one is step "1.1", step name "softmax", name "rows_sum_to_one".
struct Outcome {
    std::string step;  // empty where the suite is not one of a step
    std::string step_name;
    std::string name;
    bool passed = false;
    std::vector<std::string> messages;  // of the failures

    // The step whose NotImplemented came through to this test, as "1.1 softmax"; empty where none did.
    std::string waits_for() const;
    // The test failed because this very step is not started.
    bool not_started() const;
};

// Collects the outcomes of the tests that run, in place of gtest's own report.
class Collector : public testing::EmptyTestEventListener {
  public:
    void OnTestStart(const testing::TestInfo& test) override;
    void OnTestPartResult(const testing::TestPartResult& part) override;
    void OnTestEnd(const testing::TestInfo& test) override;

    const std::vector<Outcome>& outcomes() const { return outcomes_; }

  private:
    std::vector<Outcome> outcomes_;
};

// "rows_sum_to_one" and "RowsSumToOne" -> "rows sum to one"
std::string in_words(const std::string& test_name);

// gtest's message without the frame around it: the expression, "Actual: false (…)", "Expected: true". A bad optional
// access gets its likely cause.
std::string without_noise(const std::string& message);

// A message taken apart, noise and repetitions left out.
struct Finding {
    std::vector<std::string> causes;  // each "Likely cause: …"
    std::string details;              // the other lines
};
Finding taken_apart(const std::string& message);

// From here on a crash, or SIGTERM at the end of the time allowed, first says in which check it happened. An assertion
// of the standard library (-D_GLIBCXX_ASSERTIONS) says too what went wrong.
void report_crashes();

}  // namespace tfs::test
