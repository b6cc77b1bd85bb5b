// tools/tutorial/unbuilt.hpp · what is printed of a step that could not be built
#pragma once

#include <optional>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/check_report.hpp"

namespace tfs::tutorial {

// What kept this step from being built. Nothing where it was built. Where its file is of an earlier version, the headline says
// what changed since.
std::optional<StepReport> report_unbuilt(const Session& session, const steps::Step& step, const Build& built);

}  // namespace tfs::tutorial
