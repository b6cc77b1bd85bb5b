// tools/tutorial/checklist.cpp · running the checklist of one step
#include "tools/tutorial/checklist.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

constexpr std::size_t kib = 1024, mib = 1024 * kib;

// TUTORIAL_TIME_LIMIT, in seconds, replaces the usual limit: on a very slow machine, and in the tests of the runner.
std::chrono::seconds time_limit(int usual) {
    const char* given = std::getenv("TUTORIAL_TIME_LIMIT");
    const int seconds = given == nullptr ? 0 : std::atoi(given);
    return std::chrono::seconds(seconds > 0 ? seconds : usual);
}

Command command_for(const steps::Step& step, Checklist kind) {
    Command command;
    command.reports = true;
    if (kind != Checklist::sanitized) {
        command.words = {
            (program_folder / (kind == Checklist::plain ? step.check_target() : step.debug_target()))
                .string()};
        command.time_limit = time_limit(20);
        command.memory_limit = memory_limit_of_checks();
    } else {  // which need much address space
        command.words = {(program_folder / step.sanitize_target()).string()};
        command.time_limit = time_limit(60);
        command.environment = {
            "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:handle_abort=1:exitcode=99:allocator_may_return_"
            "null=1",
            "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99"};
    }
    for (const std::string& name : without_settings_of_threads()) command.environment.push_back(name);
    return command;
}

}  // namespace

std::size_t memory_limit_of_checks() { return 4096 * mib + 128 * mib * processors(); }

Checked run_checklist(const steps::Step& step, Checklist kind, const Stop& stop) {
    Checked checked;
    checked.output = Printed(kind == Checklist::sanitized ? mib : 64 * kib);
    std::string events;
    Listener listener;
    listener.stop = stop;
    listener.output = [&](std::string_view block) { checked.output.add(block); };
    listener.report = [&](std::string_view block) { events += block; };
    const std::string sentence = fmt::format("the checklist of step {} could not be run", step.id());
    try {
        checked.ending = run(command_for(step, kind), listener);
    } catch (const Refusal& refusal) {
        throw Refusal(sentence + ": " + refusal.what());
    }
    checked.ending.errors = checked.output.text();
    checked.record = verdict::read_record(events);
    const bool refused = checked.ending.kind == verdict::Ending::Kind::exit && checked.ending.code == 2;
    if (refused && checked.record.planned == 0) throw Refusal(sentence + ".");
    return checked;
}

}  // namespace tfs::tutorial
