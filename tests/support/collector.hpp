// tests/support/collector.hpp · what the tests of a checklist come to, sent to whoever started it
#pragma once

#include <gtest/gtest.h>

#include "tools/verdict/channel.hpp"

namespace tfs::test {

// Sends what the tests come to over the channel, in place of gtest's own report.
class Collector : public testing::EmptyTestEventListener {
  public:
    explicit Collector(verdict::Channel channel) : channel_(channel) {}

    void OnTestIterationStart(const testing::UnitTest& unit, int iteration) override;
    void OnTestStart(const testing::TestInfo& test) override;
    void OnTestPartResult(const testing::TestPartResult& part) override;
    void OnTestEnd(const testing::TestInfo& test) override;
    void OnTestIterationEnd(const testing::UnitTest& unit, int iteration) override;

  private:
    verdict::Channel channel_;
};

// Puts a collector in the place of gtest's own report. From here on an assertion of the standard library
// (-D_GLIBCXX_ASSERTIONS) says over the channel what went wrong, before it ends the program.
void collect(verdict::Channel channel);

}  // namespace tfs::test
