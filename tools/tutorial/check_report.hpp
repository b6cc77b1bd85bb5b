// tools/tutorial/check_report.hpp · what is printed about one step
#pragma once

#include <optional>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/checklist.hpp"

namespace tfs::tutorial {

struct StepReport {
    State result;          // what the step is now
    std::string headline;  // beside the step's name
    steps::Lines details;  // below it
};

// What kept the step from being built; nothing where it was built.
std::optional<StepReport> report_unbuilt(const Session& session, const steps::Step& step, const Build& built);

// After the checklist ran.
StepReport report_on(const Session& session, const steps::Step& step, const Checked& checked,
                     const verdict::Sought& sought);

// The same, for causes that were sought after it was printed.
std::string told_later(const Session& session, const std::vector<verdict::Cause>& found);

// Before steps are checked under the sanitizers: the log of the last time goes.
void forget_sanitizer_log();

// After it ran under the sanitizers, whose whole report is kept in .tutorial/sanitize.log.
StepReport report_on_sanitized(const Session& session, const steps::Step& step, const Checked& checked);

}  // namespace tfs::tutorial
