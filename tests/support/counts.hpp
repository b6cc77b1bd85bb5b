// tests/support/counts.hpp · one number counted in many cases
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfs::test {

//     counts.add("BERT-base", counted, 7087872);
//     EXPECT_TRUE(counts.right());
class Counts {
  public:
    void add(const std::string& where, std::size_t counted, std::size_t expected);

    // Success, or a failure that tells the first wrong case, and how many others are wrong.
    testing::AssertionResult right() const;

  private:
    struct Case {
        std::string where;
        std::size_t counted, expected;
    };
    std::vector<Case> cases_;
};

}  // namespace tfs::test
