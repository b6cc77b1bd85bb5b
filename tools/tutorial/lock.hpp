// tools/tutorial/lock.hpp · one build at a time
#pragma once

#include "tools/tutorial/child.hpp"

namespace tfs::tutorial {

// Two commands may run at the same time; their builds take turns. The lock is released when this ends, and by the system
// when the runner ends in whatever way.
class BuildLock {
  public:
    // Waits for another build. Interrupted or Stopped where something else comes first.
    explicit BuildLock(const fs::path& folder, const Stop& stop);

  private:
    Descriptor file_;
};

}  // namespace tfs::tutorial
