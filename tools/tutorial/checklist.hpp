// tools/tutorial/checklist.hpp · running the checklist of one step
#pragma once

#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/output.hpp"
#include "tools/verdict/report.hpp"

namespace tfs::tutorial {

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

}  // namespace tfs::tutorial
