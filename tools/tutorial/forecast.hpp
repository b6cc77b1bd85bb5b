// tools/tutorial/forecast.hpp · what a build is going to compile, and how long that takes
#pragma once

#include <string>
#include <vector>

#include "tools/tutorial/build_log.hpp"
#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

// "compiling the tensor layer and chapters 00 to 03 once: about 40 s"; empty where it takes less than 5 s. `edges` is what
// ninja is going to do, `ninja_log` is what it noted of earlier builds: how long each command took.
std::string forecast(const steps::Tutorial& tutorial, const std::vector<Edge>& edges,
                     const std::string& ninja_log);

}  // namespace tfs::tutorial
