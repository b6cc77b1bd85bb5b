// tools/tutorial/one_step.cpp · ./tutorial hint, diff, reset, and check --debug
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/tutorial/check.hpp"

namespace tfs::tutorial {

namespace {

using Hints = std::vector<std::string>;

void print_hint(const Session& session, const steps::Step& step, const Hints& hints, std::size_t index) {
    const std::string heading =
        fmt::format("{} {}, hint {} of {}", step.id(), step.name, index + 1, hints.size());
    fmt::print("\n");
    say(session.terminal, paint(session.terminal, "1", heading));
    for (const std::string& line : steps::split_lines(hints[index])) {
        const std::string margin = steps::trimmed(line).empty() ? "" : "    ";
        say(session.terminal, margin + line,
            margin.size() + steps::indentation(line) + (line.starts_with("- ") ? 2 : 0));
    }
}

void print_all(const Session& session, const steps::Step& step, const Hints& hints) {
    say(session.terminal,
        session.leads ? "\nThere are no more hints. The last one again:"
                      : fmt::format("You have seen all {} hints of step {}:", hints.size(), step.id()));
    for (std::size_t i = session.leads ? hints.size() - 1 : 0; i < hints.size(); ++i)
        print_hint(session, step, hints, i);
    if (!steps::is_hidden(steps::read_text(step.solution())))  // else diff refuses
        fmt::print("\nThe solution beside your step: {}\n", typed(session, "d", "diff " + step.id()));
}

}  // namespace

int show_hint(const Session& session, const steps::Step& step) {
    const Hints hints = steps::hints_of(session.tutorial, step);
    if (hints.empty())
        throw Refusal(fmt::format("there are no hints for step {} in {}.", step.id(), step.hints().string()));
    memory::require_writable(session.tutorial);
    const std::size_t shown = memory::hints_shown(step);
    if (shown >= hints.size()) {
        print_all(session, step, hints);
        return 0;
    }
    print_hint(session, step, hints, shown);
    memory::remember_hints(step, shown + 1);
    if (shown + 1 < hints.size()) fmt::print("\nOne more: {}\n", typed(session, "h", "hint " + step.id()));
    return 0;
}

namespace {

// A folder that is gone at the end.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "tutorial_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw Refusal("no temporary folder can be made.");
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

struct Sides {
    steps::Lines mine, solution;
};

// Without the marks of gaps, their tasks, and the paths in the second lines.
Sides sides_of(const steps::Step& step) {
    const std::string solution = steps::read_text(step.solution());
    Sides sides{steps::learners_lines(steps::read_text(step.exercise()), solution),
                steps::solution_lines(solution)};
    if (sides.solution.size() > 1 && sides.solution[1].starts_with("// solutions/"))
        sides.solution.erase(sides.solution.begin() + 1);
    return sides;
}

std::size_t longest(const Sides& sides) {
    std::size_t width = 0;
    for (const steps::Lines& lines : {sides.mine, sides.solution})
        for (const std::string& line : lines) width = std::max(width, display_width(line));
    return width;
}

std::string diff(std::vector<std::string> options, const Sides& sides) {
    const TemporaryFolder folder;
    const fs::path mine = folder.path() / "mine", solution = folder.path() / "solution";
    steps::write_text(mine, steps::join_lines(sides.mine));
    steps::write_text(solution, steps::join_lines(sides.solution));
    options.insert(options.begin(), "diff");
    options.insert(options.end(), {"--", mine.string(), solution.string()});
    const Answer answer = ask({.words = options});
    if (answer.code > 1) throw Refusal("diff can't compare the two: " + answer.output);
    return answer.output;
}

void print_difference(const Session& session, const steps::Step& step, const Sides& sides) {
    const std::string mine = step.exercise().string(), solution = step.solution().string();
    const std::size_t width = session.terminal.columns.value_or(80);
    if (sides.mine == sides.solution) {
        say(session.terminal, fmt::format("{} and {} are equal.", mine, solution));
    } else if (session.terminal.output_is_terminal && width >= 2 * longest(sides) + 3) {
        fmt::print("{}{}\n", pad(mine, width / 2), solution);
        fmt::print("{}", diff({"-y", "-t", "-W", std::to_string(width)}, sides));
    } else {  // all of both, and no line that counts lines: those of the task are left out
        const char* colour = session.terminal.colour ? "--color=always" : "--color=never";
        steps::Lines lines = steps::split_lines(
            diff({"-U", "9999", colour, "--label", mine + " (yours)", "--label", solution}, sides));
        if (lines.size() > 2) lines.erase(lines.begin() + 2);
        fmt::print("{}", steps::join_lines(lines));
    }
}

// Whether the learner wants to see the solution of a step that does not pass.
bool asked_for(const steps::Step& step, State state) {
    fmt::print("Step {} does not pass yet ({}). ", step.id(), in_words(state));
    if (::isatty(STDIN_FILENO) == 0) {
        fmt::print("To see the solution all the same: ./tutorial diff {} --yes\n", step.id());
        throw Exit{2};
    }
    fmt::print("See the solution? [y/N] ");
    std::fflush(stdout);
    const int answer = std::getchar();
    return answer == 'y' || answer == 'Y';
}

}  // namespace

int show_diff(const Session& session, const steps::Step& step, bool yes) {
    const State state = state_of(read_states(session), step);
    if (state == State::missing)
        throw Refusal(fmt::format("{} is missing; {} brings it back.", step.exercise().string(),
                                  typed(session, "r", "reset " + step.id())));
    if (steps::is_hidden(steps::read_text(step.solution())))
        throw Refusal("this copy of the tutorial, made for a course, shows no solutions.");
    if (state != State::passed && !yes && !asked_for(step, state)) return 1;
    print_difference(session, step, sides_of(step));
    if (std::error_code absent; fs::exists(step.fast_solution(), absent)) {
        fmt::print("\n");
        say(session.terminal, "A faster version of this step, for later: " + step.fast_solution().string());
    }
    return 0;
}

int reset(const Session& session, const steps::Step& step) {
    memory::require_writable(session.tutorial);
    const State state = state_of(read_states(session), step);
    const std::string file = step.exercise().string();
    if (state == State::stub) {
        memory::forget(step);
        say(session.terminal, file + " is the untouched stub already: nothing to reset.");
        return 0;
    }
    fs::path kept;
    if (state != State::missing) {
        kept = memory::new_backup(step.folder + "/" + step.name, ".cpp");
        try {
            steps::write_text(kept, steps::read_text(step.exercise()));
        } catch (const steps::Error&) {
            throw Refusal(
                fmt::format("cannot keep your version in {}, so nothing was changed.", kept.string()));
        }
    }
    steps::write_text(step.exercise(),
                      steps::exercise_of(steps::read_text(step.solution()), step.solution().string()));
    memory::forget(step);
    say(session.terminal, file + " is the stub again.");
    if (!kept.empty()) say(session.terminal, "Your version is kept in " + kept.string());
    return 0;
}

namespace {

// With a breakpoint at each function of the file, and printers that show tensors (tools/debug/).
std::vector<std::string> words_of_debugger(const std::string& name, const steps::Step& step,
                                           const std::string& filter) {
    const bool gdb = name == "gdb";
    std::vector<std::string> words = {name};
    if (gdb) words.insert(words.end(), {"-q", "-x", "tools/debug/gdb_printers.py"});
    for (const std::string& command :
         gdb ? steps::Lines{"rbreak " + step.exercise().string() + ":^tfs::", "run"}
             : steps::Lines{
                   "command script import tools/debug/lldb_printers.py",
                   "breakpoint set --func-regex ^tfs:: --file " + step.exercise().filename().string(), "run"})
        words.insert(words.end(), {gdb ? "-ex" : "-o", command});
    words.insert(words.end(), {gdb ? "--args" : "--", (program_folder / step.debug_target()).string(),
                               "--gtest_filter=" + filter, "--gtest_catch_exceptions=0"});
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
    const std::vector<verdict::Outcome>& tests = checked.record.outcomes;
    const auto failing = std::find_if(tests.begin(), tests.end(), [](const verdict::Outcome& test) {
        return !test.finished || !test.passed;
    });
    const bool all_pass = failing == tests.end();
    const std::string check =
        all_pass ? "all checks pass" : "it runs the check: " + verdict::in_words(failing->name);
    fmt::print("{} {}: {}. {} stops in {}; then next, step, finish, continue, print x, quit.\n", step.id(),
               step.name, check, debugger, step.exercise().string());
    std::fflush(stdout);
    ::setenv("OMP_NUM_THREADS", "1", 1);
    const std::vector<std::string> words =
        words_of_debugger(debugger, step, all_pass ? step.name + ".*" : failing->step + "." + failing->name);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    throw Refusal(fmt::format("{} could not be started: {}.", debugger, std::strerror(errno)));
}

}  // namespace tfs::tutorial
