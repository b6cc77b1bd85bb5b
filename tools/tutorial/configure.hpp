// tools/tutorial/configure.hpp · CMake's first run
#pragma once

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

// Configures build/release where that was not done yet, or was done before the tutorial moved to another folder. ninja
// itself calls CMake again when a file of CMake changes. Call it with the lock of the build.
void configure(const Session& session, const Stop& stop);

// Was this folder configured for sources that are elsewhere, before the tutorial moved? CMake refuses to go on there.
bool configured_elsewhere(const fs::path& build, const fs::path& sources);

}  // namespace tfs::tutorial
