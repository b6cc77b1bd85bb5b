// tools/tutorial/checklist.cpp · running the checklist of one step, and what it printed
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/terminal/display.hpp"
#include "tools/tutorial/check.hpp"

namespace tfs::tutorial {

namespace {

// Adds to a text that has at most so many bytes. Whether there was room for all.
bool add_to(std::string& text, std::string_view block, std::size_t most) {
    const std::size_t room = most - text.size();
    text += block.substr(0, room);
    return block.size() <= room;
}

// The check that the program ended in comes first, then those that failed, then the others.
int rank_of(const std::string& check, const verdict::Record& record) {
    for (const verdict::Outcome& test : record.outcomes)
        if (test.name == check) return !test.finished ? 0 : !test.passed ? 1 : 2;
    return 2;
}

std::vector<Printed::Part> in_order(std::vector<Printed::Part> parts, const verdict::Record& record) {
    std::stable_sort(parts.begin(), parts.end(), [&](const Printed::Part& a, const Printed::Part& b) {
        return rank_of(a.check, record) < rank_of(b.check, record);
    });
    return parts;
}

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

void Printed::add(std::string_view block) {
    constexpr std::size_t most_parts = 1000, longest_name = 200;  // where a step prints marks of its own
    while (!block.empty()) {
        const std::size_t end = std::min(block.find(in_name_ ? '\n' : verdict::mark), block.size());
        Part& part = parts_.back();
        if (in_name_)
            add_to(part.check, block.substr(0, end), longest_name);
        else
            part.cut = !add_to(part.output, block.substr(0, end), most_) || part.cut;
        if (end == block.size()) return;
        block.remove_prefix(end + 1);
        in_name_ = !in_name_;
        if (in_name_ && parts_.size() < most_parts) parts_.emplace_back();
    }
}

std::string Printed::text() const {
    std::string all;
    for (const Part& part : parts_) all += part.output;
    return all;
}

steps::Lines shown_output(const Printed& printed, const verdict::Record& record) {
    std::size_t room = 40, other_checks = 0;
    steps::Lines shown;
    for (const Printed::Part& part : in_order(printed.parts(), record)) {
        const steps::Lines lines = steps::split_lines(verdict::without_heap_words(part.output));
        if (lines.empty()) continue;
        if (room == 0) {
            ++other_checks;
            continue;
        }
        const std::size_t count = std::min(room, lines.size());
        room -= count;
        const std::string& check = part.check;
        shown.push_back("    your output " + (check.empty()
                                                  ? "before the first check:"
                                                  : "in the check: " + harmless(verdict::in_words(check))));
        for (std::size_t i = 0; i < count; ++i) shown.push_back("      " + truncate(harmless(lines[i]), 400));
        if (part.cut || count < lines.size()) shown.push_back("      … and more");
    }
    if (other_checks > 0)
        shown.push_back(fmt::format("    (and in {} other check{}, not shown)", other_checks,
                                    other_checks == 1 ? "" : "s"));
    return shown;
}

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
