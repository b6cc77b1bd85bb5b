// tests/tools/endless_steps.hpp · steps that do not end, and how a test knows that they have begun
#pragma once

#include "tests/tools/mini_tutorial.hpp"

namespace tfs::tools_test {

// The step 0.1, whose compilation does not end: it includes a pipe that nobody writes to.
class EndlessCompilation {
  public:
    explicit EndlessCompilation(const MiniTutorial& mini);
    ~EndlessCompilation();
    EndlessCompilation(const EndlessCompilation&) = delete;
    EndlessCompilation& operator=(const EndlessCompilation&) = delete;

    // Waits until the compiler reads: only then can the pipe be opened for writing.
    bool has_begun();

  private:
    fs::path pipe_;
    int writer_ = -1;
};

// The step 0.1, whose check does not end. Returns the file that it makes when it begins.
fs::path write_endless_check(const MiniTutorial& mini);

}  // namespace tfs::tools_test
