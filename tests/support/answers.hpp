// tests/support/answers.hpp · which of its kept answers a step gives, chosen at run time
//
// The files that tools/steps/answers.hpp makes define one Answers for each step of a chapter. Without a choice every step gives its
// solution.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace tfs::test {

class Answers {
  public:
    // Registers them. `names` are "stub" and those of the mistakes.
    Answers(const char* step, std::initializer_list<const char*> names);

    // Which of these answers is chosen, counted from 1 in `names`; 0 for none, the solution. They are those that have another body of
    // the function which asks: where two of them are chosen, that can't be, and the process ends.
    int chosen(std::initializer_list<int> answers) const;
    const std::vector<std::string>& names() const { return names_; }
    // One of `names`, or two of them, as "wrong_axis+epsilon".
    void choose(const std::string& name);

    // Those of a step of this program; null where it has none of that name.
    static Answers* of(const std::string& step);
    static std::vector<std::string> steps();

  private:
    std::vector<std::string> names_;
    std::vector<int> chosen_ = {};
};

}  // namespace tfs::test
