// tools/tutorial/progress.hpp · how far a build is
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "tools/tutorial/terminal.hpp"

namespace tfs::tutorial {

// Shows ninja's lines as one that changes, or without a terminal as one now and then, on standard error.
class Progress {
  public:
    explicit Progress(const Terminal& terminal) : terminal_(terminal) {}
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void read(std::string_view output);
    // Takes the line away.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    Terminal terminal_;
    std::string rest_;  // of a line that is not at its end
    Clock::time_point begun_ = Clock::now(), last_ = begun_;
    bool said_ = false, drawn_ = false;

    void show(std::string_view line);
};

}  // namespace tfs::tutorial
