// tests/support/collector.hpp · what the tests of a checklist come to, kept and sent to the runner
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tools/report/channel.hpp"

namespace tfs::test {

// Collects the outcomes of the tests that run, in place of gtest's own report, and sends them over the channel.
class Collector : public testing::EmptyTestEventListener {
  public:
    explicit Collector(report::Channel channel) : channel_(channel) {}

    void OnTestIterationStart(const testing::UnitTest& unit, int iteration) override;
    void OnTestStart(const testing::TestInfo& test) override;
    void OnTestPartResult(const testing::TestPartResult& part) override;
    void OnTestEnd(const testing::TestInfo& test) override;
    void OnTestIterationEnd(const testing::UnitTest& unit, int iteration) override;

    const std::vector<report::Outcome>& outcomes() const { return outcomes_; }

  private:
    report::Channel channel_;
    std::vector<report::Outcome> outcomes_;
};

// Puts a collector in the place of gtest's own report. From here on an assertion of the standard library
// (-D_GLIBCXX_ASSERTIONS) says over the channel what went wrong, before it ends the program.
const Collector* collect(report::Channel channel);

}  // namespace tfs::test
