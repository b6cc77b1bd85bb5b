// tools/tutorial/watching.hpp · what watch (watch.cpp) and its leading form (lead.cpp) share: which files were saved, and their checks
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

// How files were found, by the names of the steps: saving one changes its time or its size. An editor may write a file anew under
// the same name: then it's missing for a moment, and keeps its place here.
using Snapshot = std::map<std::string, std::pair<fs::file_time_type, std::uintmax_t>>;
Snapshot snapshot_of(const Steps& steps, Snapshot snapshot = {});

// The steps that were saved between the snapshots.
Steps saved_between(const Steps& steps, const Snapshot& before, const Snapshot& now);

// One step of each chapter, with all that its check needs, so that each answer comes soon after a file is saved. That a
// learner's file does not compile is no reason to stop.
void build_ahead(const Session& session, const Steps& steps);

// Checks until a check comes to its end before something is saved again. Returns what the files were for that check.
Snapshot check_until_done(const Session& session, const Steps& watched, Steps saved, Snapshot now);

// Of a step, all in lesson.cpp. Its part of the lesson, from its heading to what is folded, which are the answers, as wide as the
// terminal. At the first step all that stands before "## Build it" comes first.
std::string lesson_of(const steps::Step& step, std::size_t columns);
// The tasks that stand in its file: what follows each "TODO N.M: ", to the end of the comment.
std::vector<std::string> tasks_of(const steps::Step& step);
// {"run", "1", "--mine", "--", "--section", "softmax"} where a task says ./tutorial run …; empty where none does.
std::vector<std::string> task_command(const steps::Step& step);

// Shows the next open step, or the first open one of these, checks what is saved, and goes on when it passes; keys do the rest. It
// needs a terminal. lead.cpp
int lead(const Session& session, const Steps& named);

}  // namespace tfs::tutorial
