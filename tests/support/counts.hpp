// tests/support/counts.hpp · one number counted in many cases, and the mistake behind the wrong ones
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace tfs::test {

// A wrong count, and what it forgets.
struct WrongCount {
    std::string message;
    std::size_t count;
};

// One number counted in many cases, each with the wrong counts of the same mistakes in the same order. A cause is told only
// where it explains every case, those included that came out right.
//     counts.add("BERT-base", counted, 7087872, {{"the biases are forgotten", …}});
//     EXPECT_TRUE(counts.right());
class Counts {
  public:
    void add(const std::string& where, std::size_t counted, std::size_t expected,
             const std::vector<WrongCount>& suspects = {});

    // Success, or a failure that tells the first wrong case, how many others are wrong, and each likely cause once.
    testing::AssertionResult right() const;

  private:
    struct Case {
        std::string where;
        std::size_t counted, expected;
        std::vector<WrongCount> suspects;
    };
    std::vector<Case> cases_;

    static bool wrong(const Case& one) { return one.counted != one.expected; }
    bool explains(const std::function<bool(const Case&)>& mistake) const;
    std::vector<std::string> causes() const;
};

}  // namespace tfs::test
