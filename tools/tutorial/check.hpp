// tools/tutorial/check.hpp · what a check is made of: running the checklist (checklist.cpp), the report on it (check_report.cpp)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"

namespace tfs::tutorial {

// What a checklist's program printed, each check's by itself: one that prints much takes no room from the others.
class Printed {
  public:
    struct Part {
        std::string check = {};   // the name of its test; empty before the first one
        std::string output = {};  // at most `most` bytes
        bool cut = false;         // there was more
    };

    explicit Printed(std::size_t most = 0) : most_(most) {}

    void add(std::string_view block);
    const std::vector<Part>& parts() const { return parts_; }
    std::string text() const;  // of all parts

  private:
    std::size_t most_;
    std::vector<Part> parts_ = {{}};
    bool in_name_ = false;
};

// "    your output in the check: of zero" and the lines below it, the checks that did not pass first. Says what is left out
// where there are many lines. Empty where nothing was printed.
steps::Lines shown_output(const Printed& printed, const verdict::Record& record);

struct Checked {
    verdict::Record record;
    verdict::Ending ending;
    Printed output;
};

// A step that allocates what it should only count ends at about 4 GiB, before the machine does. Each thread has buffers
// of its own.
std::size_t memory_limit_of_checks();

// The program must be built. It gets limits of time and memory. Refusal where it can't be run.
Checked run_checklist(const steps::Step& step, Checklist kind, const Stop& stop);

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
