// tools/tutorial/debug.cpp · ./tutorial check N.M --debug: gdb or lldb, stopped in the learner's file
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/steps/gaps.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/checklist.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/process.hpp"
#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

namespace {

// The first check that failed, or that never ended; null where all pass.
const verdict::Outcome* first_failing(const verdict::Record& record) {
    for (const verdict::Outcome& test : record.outcomes)
        if (!test.finished || !test.passed) return &test;
    return nullptr;
}

// With a breakpoint at each function of the file, and printers that show tensors (tools/debug/).
std::vector<std::string> words_of_debugger(const std::string& name, const steps::Step& step,
                                           const std::string& filter) {
    const std::string file = step.exercise().string(),
                      program = (program_folder / step.debug_target()).string();
    const std::vector<std::string> arguments = {"--gtest_filter=" + filter, "--gtest_catch_exceptions=0"};
    std::vector<std::string> words;
    if (name == "gdb") {
        words = {"gdb",    "-q",
                 "-x",     "tools/debug/gdb_printers.py",
                 "-ex",    "rbreak " + file + ":^tfs::",
                 "-ex",    "run",
                 "--args", program};
    } else {
        words = {"lldb",
                 "-o",
                 "command script import tools/debug/lldb_printers.py",
                 "-o",
                 "breakpoint set --func-regex ^tfs:: --file " + step.exercise().filename().string(),
                 "-o",
                 "run",
                 "--",
                 program};
    }
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

}  // namespace

int debug(const Session& session, const steps::Step& step, bool only_build) {
    const State state = state_of(read_states(session), step);
    if (state == State::missing || (state == State::stub && !steps::seeks_fault(step)))
        throw Refusal(fmt::format("{} {} is not started: write something in {} first.", step.id(), step.name,
                                  step.exercise().string()));
    const std::string debugger = found_program("gdb") ? "gdb" : "lldb";
    if (!only_build && !found_program(debugger))
        throw Refusal("neither gdb nor lldb is installed; on Debian and Ubuntu: sudo apt-get install gdb.");
    build_all_of(session, {step.debug_target()});
    if (only_build) return 0;

    const Checked checked = run_checklist(step, Checklist::debugged, {});
    const verdict::Outcome* failing = first_failing(checked.record);
    const std::string check =
        failing == nullptr ? "all checks pass" : "it runs the check: " + verdict::in_words(failing->name);
    fmt::print("{} {}: {}. {} stops in {}; then next, step, finish, continue, print x, quit.\n", step.id(),
               step.name, check, debugger, step.exercise().string());
    std::fflush(stdout);
    ::setenv("OMP_NUM_THREADS", "1", 1);
    const std::vector<std::string> words = words_of_debugger(
        debugger, step, failing == nullptr ? step.name + ".*" : failing->step + "." + failing->name);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    throw Refusal(fmt::format("{} could not be started: {}.", debugger, std::strerror(errno)));
}

}  // namespace tfs::tutorial
