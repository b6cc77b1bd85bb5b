// tools/tutorial/checklist.hpp · running the checklist of one step
#pragma once

#include "tools/report/report.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/output.hpp"

namespace tfs::tutorial {

struct Checked {
    report::Record record;
    report::Ending ending;
    Printed output;
};

// The program must be built. It gets limits of time and memory. Refusal where it can't be run.
Checked run_checklist(const steps::Step& step, Checklist kind, const Stop& stop);

}  // namespace tfs::tutorial
