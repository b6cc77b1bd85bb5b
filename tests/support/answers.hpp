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

    int chosen() const { return chosen_; }  // of `names`, counted from 1; 0 is the solution
    const std::vector<std::string>& names() const { return names_; }
    void choose(const std::string& name);  // one of `names`

    // Those of a step of this program; null where it has none of that name.
    static Answers* of(const std::string& step);
    static std::vector<std::string> steps();

  private:
    std::vector<std::string> names_;
    int chosen_ = 0;
};

}  // namespace tfs::test
