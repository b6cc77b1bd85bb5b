// tests/tools/mini_tutorial.hpp · a tutorial of two steps, and the runner in it
//
// tests/tools/mini/ is copied into a folder of the test's own, with stubs of both steps, 0.1 double_it and 0.2 halve_it.
// The program that checks them has two checks, "of a small number" (6) and "of zero".
#pragma once

#include <string>
#include <vector>

#include "tests/tools/process.hpp"
#include "tests/tools/temporary_folder.hpp"

namespace tfs::tools_test {

struct Options {
    std::vector<std::string> environment = {};  // as in Start
    fs::path caller = {};                       // where the command is typed; the root if empty
    std::string input = {};
    unsigned short terminal_columns = 0;
    bool as_nobody = false;
};

class MiniTutorial {
  public:
    explicit MiniTutorial(const std::string& folder = "mini");

    const fs::path& root() const { return root_; }
    // All as at the beginning, only what was built stays.
    void reset() const;

    fs::path exercise(const std::string& step) const;
    fs::path solution(const std::string& step) const;
    std::string text_of(const fs::path& file) const;  // relative to the root; "" where there is none
    // The learner's file, with these lines in its function and above it.
    void write(const std::string& step, const std::string& body, const std::string& above = "") const;
    void solve(const std::string& step) const;
    // The solution, as tools/copy hides it.
    void hide(const std::string& step) const;

    // The runner.
    Process start(const std::vector<std::string>& words, const Options& options = {}) const;
    Result run(const std::vector<std::string>& words, const Options& options = {}) const;
    // Any program, in the environment of the runner.
    Process start_program(const std::vector<std::string>& words, const Options& options = {}) const;

    // Whether the runner and all that it started has ended, or does so soon.
    bool is_quiet() const;

  private:
    TemporaryFolder folder_;
    fs::path root_;

    std::string mark() const;
};

// One for all tests of a process, so that it is configured once. It is reset at each call.
const MiniTutorial& shared_tutorial();

// The texts of all files below .tutorial/, but not of logs.
std::map<std::string, std::string> memory_of(const MiniTutorial& mini);

}  // namespace tfs::tools_test
