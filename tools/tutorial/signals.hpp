// tools/tutorial/signals.hpp · Ctrl-C, without a handler
#pragma once

#include <csignal>

namespace tfs::tutorial {

// While one lives, SIGINT, SIGTERM and SIGHUP wait instead of ending the runner, and can be asked for. So a child can be
// ended first.
class HeldSignals {
  public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    // Takes a signal that waits; 0 where there is none.
    int arrived() const;

    // In a child, before it becomes another program.
    static void release_all();

  private:
    sigset_t before_;
};

}  // namespace tfs::tutorial
