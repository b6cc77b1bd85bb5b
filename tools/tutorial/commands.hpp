// tools/tutorial/commands.hpp · the commands of ./tutorial; each returns its exit code
#pragma once

#include "tools/tutorial/command_line.hpp"
#include "tools/tutorial/session.hpp"
#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

// The table of chapters, and what to do next. table.cpp
int show_table(const Session& session);

// The steps and their states, for another program. table.cpp
int show_steps_as_json(const Session& session);

// Builds and runs the steps' checklists, and reports on each. With the sanitizers nothing is remembered. check.cpp
enum class Checklist { plain, sanitized, debugged };
int check(const Session& session, const Steps& steps, Checklist kind, const Stop& stop = {});

// Builds the step's checklist for a debugger, and starts gdb or lldb at its first failing check; only builds it where it is asked to.
// debug.cpp
int debug(const Session& session, const steps::Step& step, bool only_build);

// One more hint. hint.cpp
int show_hint(const Session& session, const steps::Step& step);

// The step beside the solution. diff.cpp
int show_diff(const Session& session, const steps::Step& step, bool yes);

// Checks what is saved, until Ctrl-C. watch.cpp
int watch(const Session& session, const Steps& steps);

// A new version, with what the learner wrote. update.cpp
int update(const Session& session);

// The untouched stub again. reset.cpp
int reset(const Session& session, const steps::Step& step);

// The programs of the chapters. run_programs.cpp
int run_programs(const Session& session, const Request& request);

// Pages on this machine, on which the programs answer. play.cpp
int play(const Session& session, const Request& request);

// The tests, and the benchmarks. suite.cpp
int run_suite(const Session& session, const Request& request);
int run_benchmarks(const Session& session, const Request& request);

}  // namespace tfs::tutorial
