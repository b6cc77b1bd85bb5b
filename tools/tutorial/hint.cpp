// tools/tutorial/hint.cpp · ./tutorial hint: one more hint
#include <fmt/format.h>

#include "tools/steps/hidden.hpp"
#include "tools/steps/hints.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/memory.hpp"

namespace tfs::tutorial {

namespace {

using Hints = std::vector<std::string>;

void print_hint(const Session& session, const steps::Step& step, const Hints& hints, std::size_t index) {
    const std::string heading =
        fmt::format("{} {}, hint {} of {}", step.id(), step.name, index + 1, hints.size());
    fmt::print("\n{}\n", paint(session.terminal, "1", heading));
    for (const std::string& line : steps::split_lines(hints[index])) {
        const std::string margin = steps::trimmed(line).empty() ? "" : "    ";
        say(session.terminal, margin + line, margin.size() + steps::indentation(line));
    }
}

void print_all(const Session& session, const steps::Step& step, const Hints& hints) {
    fmt::print("You have seen all {} hints of step {}:\n", hints.size(), step.id());
    for (std::size_t i = 0; i < hints.size(); ++i) print_hint(session, step, hints, i);
    if (!steps::is_hidden(steps::read_text(step.solution())))  // else diff refuses
        fmt::print("\nThe solution beside your step: ./tutorial diff {}\n", step.id());
}

}  // namespace

int show_hint(const Session& session, const steps::Step& step) {
    const Hints hints = steps::hints_of(session.tutorial, step);
    if (hints.empty())
        throw Refusal(fmt::format("there are no hints for step {} in {}.", step.id(), step.hints().string()));
    const std::size_t shown = memory::hints_shown(step);
    if (shown >= hints.size()) {
        print_all(session, step, hints);
        return 0;
    }
    print_hint(session, step, hints, shown);
    if (!memory::writable()) {
        fmt::print("\n");
        say(session.terminal,
            "The tutorial can't remember this: its folder is read-only. All hints of the chapter are in " +
                step.hints().string());
        return 0;
    }
    memory::remember_hints(step, shown + 1);
    if (shown + 1 < hints.size()) fmt::print("\nOne more: ./tutorial hint {}\n", step.id());
    return 0;
}

}  // namespace tfs::tutorial
